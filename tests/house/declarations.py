# SPDX-License-Identifier: BSL-1.0
"""Finds the public declarations of a C++ header: a small scanner, not a parser.

It knows as much C++ as the headers of wf use: namespaces, classes, enumerations, templates,
constraints, functions, variables and aliases. Bodies of functions and initialisers are skipped.
"""

import dataclasses
import re

TOKEN = re.compile(r'''
    (?P<space>\s+)
  | (?P<comment>//[^\n]*|/\*.*?\*/)
  | (?P<directive>(?:(?<=\n)|\A)[ \t]*\#(?:[^\n\\]|\\.|\\\n)*)
  | (?P<raw>(?:u8|[uUL])?R"(?P<delimiter>[^(\s]*)\(.*?\)(?P=delimiter)")
  | (?P<string>(?:u8|[uUL])?"(?:[^"\\\n]|\\.)*")
  | (?P<character>(?:u8|[uUL])?'(?:[^'\\\n]|\\.)*')
  | (?P<number>\.?\d(?:[eEpP][+-]|'(?=\w)|[\w.])*)
  | (?P<name>[A-Za-z_]\w*)
  | (?P<symbol><=>|->\*|\.\.\.|::|->|&&|\|\||==|!=|<=|\+\+|--|[-+*/%&|^]=|<<|.)
''', re.VERBOSE | re.DOTALL)

TYPE_KEYWORDS = {"class", "struct", "union"}
SPECIFIERS = {"constexpr", "consteval", "constinit", "inline", "static", "extern", "friend",
              "explicit", "virtual", "mutable", "thread_local", "typedef", "__extension__"}
# Names after which a "(" does not begin a parameter list.
NO_DECLARATOR = {"requires", "noexcept", "decltype", "alignas", "explicit", "sizeof", "alignof",
                 "throw", "__attribute__"}


@dataclasses.dataclass
class Token:
    kind: str
    text: str
    line: int


@dataclasses.dataclass
class Declaration:
    kind: str      # type, function, variable, alias, concept, enumerator
    name: str
    scope: str     # enclosing namespaces and classes, joined by "::"
    first: int     # first line, including the template head
    last: int      # last line of the head (before a body)
    end: int       # last line; for a variable that of its ";"
    parameters: tuple = ()  # of a function: the tokens between its parentheses
    returns: tuple = ()     # of a function: the tokens before its name, without specifiers


def tokenize(source):
    """All tokens except white space; comments and directives are tokens of their own kinds."""
    line = 1
    out = []
    for match in TOKEN.finditer(source):
        kind = match.lastgroup if match.lastgroup != "delimiter" else "raw"
        if match.group("raw") is not None:
            kind = "raw"
        text = match.group(0)
        if kind != "space":
            start = line + (len(text) - len(text.lstrip("\n")) if kind == "directive" else 0)
            out.append(Token(kind, text, start))
        line += text.count("\n")
    return out


def code_tokens(source):
    return [t for t in tokenize(source) if t.kind not in ("comment", "directive")]


class Scanner:
    def __init__(self, source):
        self.tokens = code_tokens(source)
        self.at = 0
        self.found = []

    # --- moving -----------------------------------------------------------------------------------

    def peek(self, ahead=0):
        index = self.at + ahead
        return self.tokens[index].text if index < len(self.tokens) else ""

    def skip_balanced(self):
        """Moves from an opening bracket behind its closing one."""
        closing = {"(": ")", "[": "]", "{": "}"}
        stack = []
        while self.at < len(self.tokens):
            text = self.peek()
            self.at += 1
            if text in closing:
                stack.append(closing[text])
            elif stack and text == stack[-1]:
                stack.pop()
                if not stack:
                    return

    def skip_angles(self):
        """Moves from a "<" behind its ">"; comparisons inside must be in parentheses."""
        depth = 0
        while self.at < len(self.tokens):
            text = self.peek()
            if text in ("(", "[", "{"):
                self.skip_balanced()
                continue
            self.at += 1
            if text == "<":
                depth += 1
            elif text == ">":
                depth -= 1
                if depth == 0:
                    return
            elif text == "<<":
                depth += 2

    def skip_attributes(self):
        while self.peek() == "[" and self.peek(1) == "[":
            self.skip_balanced()

    def skip_requires(self):
        """Moves from "requires" behind the constraint or requires-expression, but not into a
        body."""
        self.at += 1
        while True:
            while self.peek() in ("!", "("):
                if self.peek() == "(":
                    self.skip_balanced()
                    break
                self.at += 1
            else:
                if self.peek() == "requires":
                    self.at += 1
                    if self.peek() == "(":
                        self.skip_balanced()
                    self.skip_balanced()
                else:
                    while True:
                        self.at += 1  # a name
                        if self.peek() == "<":
                            self.skip_angles()
                        if self.peek() == "(":  # a consteval call such as f<T>()
                            self.skip_balanced()
                        if self.peek() != "::":
                            break
                        self.at += 1
            if self.peek() not in ("&&", "||"):
                return
            self.at += 1

    # --- scopes ------------------------------------------------------------------------------

    def scan(self):
        while self.at < len(self.tokens):
            self.scope("", None, True)
            self.at += 1  # a stray closing brace is ignored
        return self.found

    def scope(self, path, class_name, public):
        """The declarations of a namespace (no class name) or a class, up to its "}"."""
        while self.at < len(self.tokens) and self.peek() != "}":
            text = self.peek()
            if text == ";":
                self.at += 1
            elif text in ("public", "private", "protected") and self.peek(1) == ":":
                public = text == "public"
                self.at += 2
            elif text == "namespace" or (text == "inline" and self.peek(1) == "namespace"):
                self.namespace(path)
            else:
                self.declaration(path, class_name, public)

    def namespace(self, path):
        self.at += 2 if self.peek() == "inline" else 1
        self.skip_attributes()
        names = []
        while self.peek() not in ("{", "=", ";", ""):
            if self.peek() not in ("::", "inline"):
                names.append(self.peek())
            self.at += 1
        if self.peek() == "=":
            self.skip_to_semicolon()
        elif not names or "detail" in names:
            self.skip_balanced()
        else:
            self.at += 1
            self.scope("::".join([path, *names]).strip(":"), None, True)
            self.at += 1

    def skip_to_semicolon(self):
        while self.at < len(self.tokens) and self.peek() != ";":
            if self.peek() in ("(", "[", "{"):
                self.skip_balanced()
            else:
                self.at += 1
        self.at += 1

    def declaration(self, path, class_name, public):
        first = self.tokens[self.at].line
        specialisation = False
        while self.peek() == "template":
            self.at += 1
            if self.peek() != "<":  # explicit instantiation
                self.skip_to_semicolon()
                return
            specialisation = specialisation or self.peek(1) == ">"
            self.skip_angles()
            if self.peek() == "requires":
                self.skip_requires()
        self.skip_attributes()

        if self.peek() in ("static_assert", "asm") or self.peek(1) == "template":
            self.skip_to_semicolon()
        elif self.peek() == "using":
            self.alias(path, first, class_name, public)
        elif self.peek() == "concept":
            self.add("concept", self.peek(1), path, first, self.at + 1, class_name, public)
            self.skip_to_semicolon()
        elif self.peek() == "enum":
            self.enumeration(path, first, class_name, public)
        elif self.peek() in TYPE_KEYWORDS and self.type_head():
            self.type_definition(path, first, class_name, public)
        else:
            self.function_or_variable(path, first, class_name, public and not specialisation)

    def add(self, kind, name, path, first, last_token, class_name, public, parameters=(0, 0),
            returns=()):
        if public:
            last = self.tokens[min(last_token, len(self.tokens) - 1)].line
            end = max(last, self.tokens[self.at - 1].line) if kind == "variable" else last
            inside = tuple(t.text for t in self.tokens[parameters[0] + 1:parameters[1] - 1])
            self.found.append(Declaration(kind, name, path, first, last, end, inside,
                                          tuple(returns)))

    def alias(self, path, first, class_name, public):
        name = self.peek(1)
        defines = self.peek(2) in ("=", "[")  # otherwise it only introduces a name
        self.skip_to_semicolon()
        if defines:
            self.add("alias", name, path, first, self.at - 1, class_name, public)

    def enumeration(self, path, first, class_name, public):
        self.at += 1
        if self.peek() in TYPE_KEYWORDS:
            self.at += 1
        self.skip_attributes()
        name = self.peek() if self.peek() not in (":", "{") else ""
        head = self.at
        while self.peek() not in ("{", ";", ""):
            self.at += 1
        if self.peek() != "{":
            self.at += 1
            return
        if name:
            self.add("type", name, path, first, head, class_name, public)
        self.at += 1
        while self.peek() not in ("}", ""):
            start = self.at
            while self.peek() not in (",", "}", ""):
                if self.peek() in ("(", "[", "{"):
                    self.skip_balanced()
                else:
                    self.at += 1
            self.add("enumerator", self.tokens[start].text, f"{path}::{name}",
                     self.tokens[start].line, self.at - 1, "enum", public)
            if self.peek() == ",":
                self.at += 1
        self.skip_to_semicolon()

    def type_head(self):
        """True if a class head begins here, rather than a variable or function of such a type."""
        ahead = 1
        while self.peek(ahead) not in ("{", ";", ":", "(", "=", ""):
            ahead += 1
        return self.peek(ahead) in ("{", ";", ":")

    def type_definition(self, path, first, class_name, public):
        self.at += 1
        self.skip_attributes()
        name = self.peek() if self.peek() not in ("{", ":") else ""
        head = self.at
        if name:
            self.at += 1
        specialised = self.peek() == "<" or self.peek() == "::"
        while self.peek() not in ("{", ";", ""):
            if self.peek() == "<":
                self.skip_angles()
            elif self.peek() == "(":
                self.skip_balanced()
            else:
                self.at += 1
        if self.peek() == ";":  # forward declaration
            self.at += 1
            return
        if public and not specialised:
            if name:
                self.add("type", name, path, first, head, class_name, public)
            self.at += 1
            # `class` is private by default.
            is_class = self.tokens[head - 1].text == "class"
            self.scope(f"{path}::{name}".strip(":"), name, not is_class)
            self.at += 1
        else:
            self.skip_balanced()
        self.skip_to_semicolon()  # including the declarator of an anonymous struct

    def function_or_variable(self, path, first, class_name, public):
        start = self.at
        kind, name, parameters, end, defaulted = self.declarator(start)
        head = [t.text for t in self.tokens[start:end]]
        result = []
        if "friend" in head[:3]:
            only_declared = self.tokens[end].text == ";"
            if kind == "variable" or only_declared or name.startswith("operator"):
                return
        if kind == "function":
            if defaulted or self.is_special_member(name, class_name, parameters):
                return
            result = [t for t in head[:parameters[0] - start] if t not in SPECIFIERS]
            if class_name is None and result == [name] and "->" in head:
                return  # a deduction guide
            first_of_name = parameters[0] - 1
            while name.startswith("operator") and self.tokens[first_of_name].text != "operator":
                first_of_name -= 1
            if self.tokens[first_of_name - 1].text == "::":
                return  # the definition of a member outside of its class
        self.add(kind, name, path, first, end, class_name, public, parameters, result[:-1])

    def declarator(self, start):
        """Moves behind a function or variable: returns its kind, its name, the token range of its
        parameters, the token that ends its head, and whether it is defaulted or deleted."""
        kind, name, parameters = "variable", "", (0, 0)
        in_initialisers = False  # of a constructor
        while self.at < len(self.tokens):
            text = self.peek()
            before = self.tokens[self.at - 1]
            named = self.at > start and before.kind == "name"
            end = self.at
            if text == ";":
                self.at += 1
                return kind, name or before.text, parameters, end, False
            if text == "=":
                defaulted = self.peek(1) in ("default", "delete")
                self.skip_to_semicolon()
                return kind, name or before.text, parameters, end, defaulted
            if text == "{":
                if kind == "variable":
                    self.skip_to_semicolon()
                    return kind, name or before.text, parameters, end, False
                of_member = in_initialisers and (named or before.text == ">")
                self.skip_balanced()
                if not of_member:
                    return kind, name, parameters, end, False
            elif text == "operator" and kind == "variable":
                kind, name = "function", "operator" + self.operator_name()
                parameters = self.skip_parameters()
            elif text == "(" and kind == "variable" and named and before.text not in NO_DECLARATOR:
                destructor = end - 2 >= start and self.tokens[end - 2].text == "~"
                kind, name = "function", "~" * destructor + before.text
                parameters = self.skip_parameters()
            elif text in ("(", "["):
                if text == "[" and kind == "variable" and named:
                    name = name or before.text
                self.skip_balanced()
            elif text == "<":
                self.skip_angles()
            elif text == "requires":
                self.skip_requires()
            else:
                if text == ":":
                    in_initialisers = kind == "function"
                    name = name or before.text  # of a bit-field
                self.at += 1
        return kind, name, parameters, self.at - 1, False

    def skip_parameters(self):
        first = self.at
        self.skip_balanced()
        return first, self.at

    def operator_name(self):
        """At "operator": returns its name; stops at the parameter list."""
        self.at += 1
        name = ""
        if self.peek() == "(" and self.peek(1) == ")":
            self.at += 2
            return "()"
        while self.peek() not in ("(", ""):
            name += self.peek()
            if self.peek() == "<" and name not in ("<", "<<"):
                self.skip_angles()
            else:
                self.at += 1
        return name

    def is_special_member(self, name, class_name, parameters):
        """True for a destructor, a default, copy or move constructor, and a copy or move
        assignment."""
        if class_name is None:
            return False
        if name.startswith("~"):
            return True
        inside = [t.text for t in self.tokens[parameters[0] + 1:max(parameters[1] - 1, 0)]]
        if inside and inside[-1] not in ("&", "&&"):
            inside = inside[:-1]  # without the parameter's name
        without = [t for t in inside if t != "const"]
        takes_itself = without in ([class_name, "&"], [class_name, "&&"])
        if name == class_name:
            return takes_itself or not inside
        return name == "operator=" and takes_itself


def declarations(source):
    """The public declarations of a header, in order."""
    return Scanner(source).scan()
