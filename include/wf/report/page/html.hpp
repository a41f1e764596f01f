// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/report/graph/svg.hpp>

namespace wf {

namespace detail {

/// A number with a separator between groups of three digits.
constexpr text grouped_text(std::int64_t n) {
  text out;
  out.grouped(n);
  return out;
}

}  // namespace detail

/// Builds a self-contained page: headings, paragraphs, preformatted text, tables and pictures,
/// without external resources. `body()` is a fragment that another page can include with
/// `add_fragment`.
class html_page {
 public:
  /// An empty page with a title.
  constexpr explicit html_page(text_view title) : title_(title) {}

  /// Appends a heading of level 2 or 3; the text is escaped.
  constexpr html_page& add_heading(text_view heading, int level = 2) {
    body_ << "<h" << level << '>';
    detail::escape_html(body_, heading);
    body_ << "</h" << level << ">\n";
    return *this;
  }
  /// Appends a paragraph; the text is escaped.
  constexpr html_page& add_paragraph(text_view paragraph) {
    body_ << "<p>";
    detail::escape_html(body_, paragraph);
    body_ << "</p>\n";
    return *this;
  }
  /// Appends text whose lines and columns are preserved; it is escaped.
  constexpr html_page& add_preformatted(text_view lines) {
    body_ << "<pre>";
    detail::escape_html(body_, lines);
    body_ << "</pre>\n";
    return *this;
  }
  /// Appends a picture with a caption; `svg` is markup and is not escaped.
  constexpr html_page& add_picture(text_view svg, text_view caption) {
    body_ << "<figure><div class=\"scroll\">" << svg << "</div><figcaption>";
    detail::escape_html(body_, caption);
    body_ << "</figcaption></figure>\n";
    return *this;
  }
  /// Appends a table: the first row is the header; cells from the second column on are
  /// right-aligned.
  constexpr html_page& add_table(view<table<text>> rows) {
    body_ << "<div class=\"scroll\"><table>\n";
    for (std::size_t r = 0; r < rows.size(); ++r) {
      body_ << "<tr>";
      for (const text& cell : rows[r]) {
        body_ << (r == 0 ? "<th>" : "<td>");
        detail::escape_html(body_, cell.view());
        body_ << (r == 0 ? "</th>" : "</td>");
      }
      body_ << "</tr>\n";
    }
    body_ << "</table></div>\n";
    return *this;
  }
  /// Appends markup unchanged: the `body()` of another page.
  constexpr html_page& add_fragment(text_view markup) {
    body_ << markup;
    return *this;
  }

  /// The content added so far, without head and foot; valid until the next addition.
  constexpr text_view body() const { return body_.view(); }
  /// The complete page as HTML.
  constexpr text page() const {
    text out;
    out << "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>";
    detail::escape_html(out, title_.view());
    out << "</title><style>\n"
        << "body{font:15px/1.5 system-ui,sans-serif;color:#1b2430;margin:0 auto;max-width:1200px;"
        << "padding:24px}h1{font-size:26px;margin:0 0 8px}h2{font-size:20px;margin:36px 0 8px;"
        << "border-bottom:1px solid #d5dbe3;padding-bottom:4px}h3{font-size:16px;margin:22px 0 6px}"
        << "pre{background:#f5f7fa;border:1px solid #e1e6ed;border-radius:4px;padding:12px;"
        << "overflow-x:auto;font:12.5px/1.45 ui-monospace,monospace}"
        << "figure{margin:12px 0}figcaption{color:#5a6675;font-size:13px}"
        << ".scroll{overflow:auto;max-height:760px;border:1px solid #e1e6ed;border-radius:4px}"
        << "table{border-collapse:collapse;font-variant-numeric:tabular-nums}"
        << "th,td{padding:3px 12px;text-align:right;border-bottom:1px solid #e8ecf1}"
        << "th{background:#f5f7fa;font-weight:600}th:first-child,td:first-child{text-align:left}\n"
        << "</style></head><body>\n<h1>";
    detail::escape_html(out, title_.view());
    out << "</h1>\n" << body_.view() << "</body></html>\n";
    return out;
  }

 private:
  text title_;
  text body_;
};

}  // namespace wf
