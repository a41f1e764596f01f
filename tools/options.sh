# SPDX-License-Identifier: BSL-1.0
#
# Common functions of the shell scripts of tools/, which source it first with their own arguments.
# --help prints the comment at the head of the script.

tool=tools/$(basename "$0")

# refuse TEXT: ends the script with an error about an argument, TEXT.
refuse() {
  echo "$tool: $1; $tool --help says what there is" >&2
  exit 2
}

if [ "${1:-}" = --help ]; then
  sed -n '4,/^[^#]/ s/^# \{0,1\}//p' "$0"
  exit 0
fi
