// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/diagnosis/result.hpp>
#include <wf/logic/relation/database.hpp>

namespace wf::tensors {

/// A text as its words.
struct token_list {
  logic::symbol_domain vocabulary;   ///< the words, in the order in which they are met
  table<logic::position> positions;  ///< by token: that of its word
};

/// The words of a text: what stands between white space of ASCII. Errors: `bad_tensor_file` for
/// 2^31 tokens or more. Expected O(size).
constexpr result<token_list> parse_tokens(text_view source) {
  const auto is_space = [](char c) { return c == ' ' || (c >= '\t' && c <= '\r'); };
  token_list out;
  for (std::size_t at = 0; at < source.size(); ++at) {
    const std::size_t first = at;
    while (at < source.size() && !is_space(source[at])) ++at;
    if (at == first) continue;
    if (out.positions.size() == INT32_MAX)
      return make_error(errc::bad_tensor_file, "", "a text has less than 2^31 tokens");
    out.positions.push_back(out.vocabulary.add(source.part(first, at - first)));
  }
  return out;
}

/// Adds the tensor of tokens and words to a database, which is 1 where the token is the word and
/// has no other entries: the number of a token, and its word as a symbol of a domain of the
/// tensor's name. O(tokens).
constexpr logic::named_relation& add_to(logic::database& to, text_view name,
                                        const token_list& tokens) {
  logic::relation entries(2, true);
  for (std::size_t t = 0; t < tokens.positions.size(); ++t) {
    const logic::position at[] = {static_cast<logic::position>(t), tokens.positions[t]};
    entries.append(at);
  }
  to.domains.push_back(tokens.vocabulary);
  to.domains.back().name = text(name);
  const auto domain = static_cast<std::uint32_t>(to.domains.size() - 1);
  return to.add(name, static_cast<logic::relation&&>(entries), {UINT32_MAX, domain});
}

}  // namespace wf::tensors
