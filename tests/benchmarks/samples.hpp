// SPDX-License-Identifier: BSL-1.0
#pragma once

// The smallest instances that use every feature of a format.

namespace wf_test {

// Class "a" costs 1.5 plus "b" (2), or 4; "c" needs "a" too.
inline constexpr const char* small_extraction = R"({
  "nodes": {
    "n0": {"op": "+", "children": ["n2"], "eclass": "a", "cost": 1.5},
    "n1": {"op": "*", "children": [], "eclass": "a", "cost": 4.0},
    "n2": {"op": "x", "children": [], "eclass": "b", "cost": 2},
    "n3": {"op": "-", "children": ["n0", "n2"], "eclass": "b", "cost": 0}
  },
  "root_eclasses": ["a", "gone"],
  "class_data": {}
})";

// The same instance with numbers as classes.
inline constexpr const char* numbered_extraction = R"({
  "nodes": {
    "0.0": {"op": "and", "children": [2], "eclass": 1, "cost": 1},
    "0.1": {"op": "not", "children": [], "eclass": 2, "cost": 3, "id": "0.1"},
    "2": {"op": "not", "eclass": 3}
  },
  "root_eclasses": [1]
})";

// Values 12.5 + 20 exceed the capacity; 10 + 20 fit.
inline constexpr const char* small_mmkp =
    "2 2\n"
    "10 5\n"
    "2\n"
    "10 4 2\n"
    "12.5 8 1\n"
    "\n"
    "2\n"
    "20 6 3\n"
    "3.25 0 0\n"
    "\n";

// A triangle with two registers: node 2 may be spilled for 7, node 1 cannot be spilled.
inline constexpr const char* small_pbqp =
    "pbqp 3 3 2\n"
    "2 2 x 0 0 x\n"
    "2 3 x 0 5 0 x 0\n"
    "2 0 0\n"
    "2 x 1\n"
    "3 0 2 7\n"
    "0 1 0\n"
    "0 2 1\n"
    "1 2 1\n";

// Problems in both forms, with all kinds of operands.
inline constexpr const char* small_linnea = R"sample([
  {"id": "ridge", "operands": {
     "b": {"kind": "ColumnVector", "size": ["m"], "properties": []},
     "X": {"kind": "Matrix", "size": ["n", "m"], "properties": ["FullRank"]},
     "I_m": {"kind": "IdentityMatrix", "size": ["m", "m"], "properties": []},
     "M": {"kind": "Matrix", "size": ["n", "n"], "properties": ["Diagonal", "SPD"]},
     "c": {"kind": "Scalar", "size": [], "properties": ["Positive"]},
     "y": {"kind": "ColumnVector", "size": ["n"], "properties": []}},
   "dims": {"n": 40, "m": 10},
   "equations": ["S = trans(X)*M*X + inv(c)*I_m", "b = inv(S)*trans(X)*M*y"],
   "outputs": ["b", "S"]},
  {"id": "random", "out": {"kind": "Vector", "size": [10, 1]},
   "expr": "(A * (v + w))",
   "operands": {"A": {"kind": "Matrix", "size": [10, 30], "properties": ["FullRank"]},
     "v": {"kind": "Vector", "size": [30, 1], "properties": []},
     "w": {"kind": "Vector", "size": [30, 1], "properties": []}}}])sample";

// A fork of three tasks with its optimal schedule.
inline constexpr const char* small_dot = R"dot(digraph "Fork#1" {
  graph [GraphType=Fork,
    Modes="12ms; \
ordered, ",
    TargetSystem="Homogeneous-2",
    "Time to schedule (ms)"=5,
    "Total schedule length"=6,
    "Total states created"=17
  ];
  0 ["Finish time"=2, Processor=0, "Start time"=0, Weight=2];
  2 ["Finish time"=6, Processor=0, "Start time"=2, Weight=4];
  0 -> 2 [Weight=3];
  1 ["Finish time"=3,
    Processor=1,
    "Start time"=2,
    Weight=1];
  0 -> 1 [Weight=0];
}
)dot";

// A convolution, a transpose of half of it, and a product of both with a cache from outside.
inline constexpr const char* small_network =
    "id,name,kind,ifm_c,ifm_h,ifm_w,ofm_c,ofm_h,ofm_w,weight_elems,ops_per_sample,external_c,"
    "ifm_preds,wgt_preds\n"
    "0,conv1,conv,3,6,6,8,4,4,216,3456,3,,\n"
    "1,turn,transpose,8,4,4,4,8,4,0,128,0,0,\n"
    "2,heads,groupconv,10,4,4,8,4,4,64,512,2,0,1\n";

// A project in PSPLIB's format, the same in Patterson's, and a graph of the Standard Task Graph
// Set.
inline constexpr char small_sm[] = R"(*******************************************
file with basedata            : small.bas
projects                      :  1
jobs (incl. supersource/sink ):  4
horizon                       :  12
RESOURCES
  - renewable                 :  2   R
  - nonrenewable              :  0   N
*******************************************
PRECEDENCE RELATIONS:
jobnr.    #modes  #successors   successors
   1        1          2           2   3
   2        1          1           4
   3        1          1           4
   4        1          0
*******************************************
REQUESTS/DURATIONS:
jobnr. mode duration  R 1  R 2
-------------------------------------------
  1      1     0       0    0
  2      1     8       4    0
  3      1     4       9    3
  4      1     0       0    0
*******************************************
RESOURCEAVAILABILITIES:
  R 1  R 2
   12   10
*******************************************
)";

inline constexpr char small_rcp[] = R"( 4 2
 12 10
 0  0 0  2  2 3
 8  4 0  1  4
 4  9 3  1  4
 0  0 0  0
)";

inline constexpr char small_stg[] = R"(   3
 0   0   0
 1   9   1   0
 2   4   1   0
 3   3   2   1   2
 4   0   1   3
# Standard Task Graph Set
)";

}  // namespace wf_test
