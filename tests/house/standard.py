# SPDX-License-Identifier: BSL-1.0
"""The standard headers of names that tests and benchmarks use of namespace std."""

NAMES = {
    "algorithm": "all_of any_of clamp copy copy_n count count_if equal fill find find_if generate "
                 "lexicographical_compare lower_bound max max_element merge min min_element minmax "
                 "mismatch next_permutation none_of nth_element partial_sort partition remove_if "
                 "replace reverse rotate shuffle sort stable_sort transform unique upper_bound",
    "array": "array",
    "atomic": "atomic",
    "bit": "bit_cast bit_width countl_zero countr_zero has_single_bit popcount",
    "bitset": "bitset",
    "charconv": "from_chars to_chars",
    "chrono": "chrono",
    "cmath": "isfinite isinf isnan ldexp pow sqrt",
    "complex": "complex",
    "cstdlib": "exit getenv strtod",
    "cstring": "memcmp memcpy memset strcmp strlen",
    "deque": "deque",
    "filesystem": "filesystem",
    "fstream": "ifstream ofstream",
    "functional": "function greater hash less minus multiplies plus",
    "iostream": "cerr cin cout",
    "iterator": "back_inserter istreambuf_iterator",
    "limits": "numeric_limits",
    "map": "map multimap",
    "memory": "make_shared make_unique shared_ptr unique_ptr weak_ptr",
    "mutex": "lock_guard mutex unique_lock",
    "new": "bad_alloc",
    "numbers": "numbers",
    "numeric": "accumulate gcd iota lcm partial_sum",
    "optional": "nullopt optional",
    "queue": "priority_queue queue",
    "random": "bernoulli_distribution discrete_distribution mt19937 mt19937_64 "
              "normal_distribution uniform_int_distribution uniform_real_distribution",
    "regex": "regex regex_match regex_replace regex_search smatch sregex_iterator",
    "set": "multiset set",
    "span": "span",
    "sstream": "istringstream ostringstream stringstream",
    "stdexcept": "invalid_argument logic_error out_of_range runtime_error",
    "string": "getline stod stoi stoul string to_string",
    "string_view": "string_view",
    "thread": "thread",
    "tuple": "make_tuple tie tuple",
    "type_traits": "is_same_v",
    "typeinfo": "bad_cast",
    "unordered_map": "unordered_map",
    "unordered_set": "unordered_set",
    "utility": "exchange forward move pair swap",
    "variant": "get_if holds_alternative monostate variant visit",
    "vector": "vector",
}
# Name → its header; `swap`, `pair` and others that the standard declares in several headers stand
# above where they are defined.
HEADER_OF = {name: header for header, names in NAMES.items() for name in names.split()}
