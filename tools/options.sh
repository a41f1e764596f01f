# SPDX-License-Identifier: BSL-1.0
#
# What the shell scripts of tools/ share: sourced with their own words, before they do anything.
# --help prints the comment that a script begins with.

tool=tools/$(basename "$0")

# refuse TEXT: ends the script, which does not understand TEXT.
refuse() {
  echo "$tool: $1; $tool --help says what there is" >&2
  exit 2
}

if [ "${1:-}" = --help ]; then
  sed -n '4,/^[^#]/ s/^# \{0,1\}//p' "$0"
  exit 0
fi
