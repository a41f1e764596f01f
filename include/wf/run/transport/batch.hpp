// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/container/bytes.hpp>
#include <wf/core/diagnosis/result.hpp>
#include <wf/run/transport/termination.hpp>
#include <wf/simulate/fault/envelope.hpp>

namespace wf {

namespace detail {
// The first bytes of a batch: "wfb" and the version of its form.
inline constexpr std::uint32_t batch_mark = 0x01626677;
// What follows in a batch.
enum class batch_item : std::uint8_t { message, termination, event };
}  // namespace detail

/// Packs what goes to one process into one sending of a transport: messages with what they carry,
/// events of the script, and messages about the end. A batch begins with the number of the run, so
/// that processes of different runs do not take each other's messages. A message takes 69 bytes and
/// what it carries.
class batch_writer {
 public:
  constexpr batch_writer() = default;
  /// Of a run, by a number that all its processes know.
  constexpr explicit batch_writer(std::uint64_t run) : run_(run) {}

  /// True if nothing was added since the last batch was taken.
  constexpr bool empty() const { return out_.bytes().empty(); }
  /// Size so far, in bytes.
  constexpr std::size_t size() const { return out_.bytes().size(); }
  /// A message; the checksum does not fit if it is not `whole`.
  constexpr void add(const fault::envelope& m, bool whole, view<std::uint8_t> carried) {
    begin(detail::batch_item::message);
    fault::wire_form w = fault::pack(m);
    if (!whole) fault::flip(w, fault::envelope_bits - 1);
    out_.words(w.words);
    out_.half(static_cast<std::uint32_t>(carried.size()));
    out_.block(carried);
  }
  /// A message about the end.
  constexpr void add(const termination_message& m) {
    begin(detail::batch_item::termination);
    out_.integer(static_cast<std::uint64_t>(m.what), 1);
    out_.word(m.view).word(m.sent).word(m.received);
  }
  /// An event of the script is due.
  constexpr void add(std::uint32_t event) {
    begin(detail::batch_item::event);
    out_.half(event);
  }
  /// The batch, which is given away.
  constexpr table<std::uint8_t> take() { return out_.take(); }

 private:
  constexpr void begin(detail::batch_item what) {
    if (empty()) out_.half(detail::batch_mark).word(run_);
    out_.integer(static_cast<std::uint64_t>(what), 1);
  }

  byte_writer out_;
  std::uint64_t run_ = 0;
};

/// Hands out what a batch of a run has, in its order: `out.message(envelope, whole, carried)`,
/// `out.termination(message)`, `out.event(number)`, which are false for what cannot be. Errors:
/// `malformed_message` for bytes that are no batch, or what is refused; `transport_failed` for a
/// batch of another run. What came before the fault was handed out. O(size).
template <class Out>
constexpr result<nothing> read_batch(view<std::uint8_t> bytes, std::uint64_t run, Out&& out) {
  const auto refuse = [](text_view sentence) {
    return make_error(errc::malformed_message, "batch", sentence);
  };
  byte_reader in(bytes);
  if (in.half() != detail::batch_mark) return refuse("it does not begin as a batch does");
  if (in.word() != run || !in.good())
    return make_error(errc::transport_failed, "batch",
                      "it is of another run: processes must be started for one deployment, one "
                      "script and the same peers");
  while (in.good() && in.left() != 0) {
    bool fits = false;
    switch (static_cast<detail::batch_item>(in.integer(1))) {
      case detail::batch_item::message: {
        fault::wire_form w;
        for (std::uint64_t& word : w.words) word = in.word();
        const view<std::uint8_t> carried = in.block(in.half());
        fits = !in.good() || out.message(fault::unpack(w), fault::is_whole(w), carried);
        break;
      }
      case detail::batch_item::termination: {
        termination_message m;
        const std::uint64_t what = in.integer(1);
        m.what = static_cast<termination_message::kind>(what);
        m.view = in.word(), m.sent = in.word(), m.received = in.word();
        fits = !in.good() || (what <= 2 && out.termination(m));
        break;
      }
      case detail::batch_item::event: {
        const std::uint32_t event = in.half();
        fits = !in.good() || out.event(event);
        break;
      }
    }
    if (!fits) return refuse("it has an item that cannot be");
  }
  if (!in.good()) return refuse("it is too short");
  return nothing{};
}

}  // namespace wf
