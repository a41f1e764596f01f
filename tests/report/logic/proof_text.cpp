// SPDX-License-Identifier: BSL-1.0
#include <wf/report/logic/proof_text.hpp>

#include <string>

#include <doctest/doctest.h>

#include "family.hpp"

TEST_CASE("a proof is a tree of facts and rules") {
  const wf_test::family f;
  CHECK(f.proof("Ancestor('Ada','Eve')") ==
        "Ancestor('Ada','Eve')  by Ancestor(x,z) = Parent(x,y) Ancestor(y,z)\n"
        "  Parent('Ada','Bob')  given\n"
        "  Ancestor('Bob','Eve')  by Ancestor(x,z) = Parent(x,y) Ancestor(y,z)\n"
        "    Parent('Bob','Cid')  given\n"
        "    Ancestor('Cid','Eve')  by Ancestor(x,y) = Parent(x,y)\n"
        "      Parent('Cid','Eve')  given\n");
}

TEST_CASE("what has stood above is not proved again, and sums have summands") {
  const wf_test::family f;
  CHECK(f.proof("Twice('Ada')") ==
        "Twice('Ada')  by Twice(x) = Ancestor(x,y) Ancestor(x,y)\n"
        "  Ancestor('Ada','Bob')  by Ancestor(x,y) = Parent(x,y)\n"
        "    Parent('Ada','Bob')  given\n");
  CHECK(f.proof("Pair('Ada')") ==
        "Pair('Ada')  by Pair(x) = Twice(x) Ancestor(x,y)\n"
        "  Twice('Ada')  by Twice(x) = Ancestor(x,y) Ancestor(x,y)\n"
        "    Ancestor('Ada','Bob')  by Ancestor(x,y) = Parent(x,y)\n"
        "      Parent('Ada','Bob')  given\n"
        "  Ancestor('Ada','Bob')  (above)\n");
  CHECK(f.proof("Children['Bob']") ==
        "Children['Bob'] = 2.0  of 2 summands  by Children[x] += Parent(x,y)\n"
        "  Parent('Bob','Cid')  given\n"
        "  Parent('Bob','Dan')  given\n");
}

TEST_CASE("each rule says what it lacks") {
  const wf_test::family f;
  CHECK(f.why_not("Ancestor('Eve','Ada')") ==
        "Ancestor(x,y) = Parent(x,y): there is no Parent('Eve','Ada')\n"
        "Ancestor(x,z) = Parent(x,y) Ancestor(y,z): there is no Parent('Eve',y)\n");
  CHECK(f.why_not("Ancestor('Cid','Ada')") ==
        "Ancestor(x,y) = Parent(x,y): there is no Parent('Cid','Ada')\n"
        "Ancestor(x,z) = Parent(x,y) Ancestor(y,z): Parent('Cid','Eve') holds, but there is no "
        "Ancestor('Eve','Ada')\n");
  CHECK(
      f.why_not("Root('Cid')") ==
      "Root(x) = Parent(x,y) !Child(x): Parent('Cid','Eve') holds, but a complement or comparison "
      "never holds with them\n");
  CHECK(f.why_not("Parent('Eve','Ada')") == "no rule has such a head, and no input has the fact\n");
}
