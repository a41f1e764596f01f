#!/bin/bash
# usage: tools_t.sh test.cpp... : builds each with g++ -O0 and runs it
mkdir -p /tmp/wt
[ -f /tmp/wt/main.o ] || g++ -std=c++20 -O0 -c tests/main.cpp -o /tmp/wt/main.o
for t in "$@"; do
  o=/tmp/wt/$(echo $t | tr / _).bin
  nice -n 5 ${CXX:-g++} -std=c++20 ${OPT:--O0} -Wall -Wextra -Wpedantic -Wconversion -Werror -DEIGEN_RUNTIME_NO_MALLOC -Iinclude -Itests -Ibenchmarks -isystem /usr/include/eigen3 $t /tmp/wt/main.o -o $o -lyaml-cpp 2>&1 | head -${LINES_MAX:-40}
  echo "== $t"; $o | tail -${TAIL:-12}
done
