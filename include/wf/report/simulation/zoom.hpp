// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/report/page/html.hpp>

namespace wf::detail {

/// The script that zooms the pictures of a page: their inner `svg` elements of class "zoom" show a
/// part of their time axis, all the same one, and labels that have room then are completed.
inline constexpr text_view zoom_script =
    R"js(<script>(function () {
if (window.wfZoom) return;
window.wfZoom = true;
var scale = 1, from = 0, drag = null, width = 1000, pending = false;
function all(query, root) { return Array.prototype.slice.call(root.querySelectorAll(query)); }
function label(box) {
  var rect = box.querySelector('rect.run'), title = box.querySelector('title');
  if (!rect || !title || rect.getAttribute('height') < 11) return;
  var wide = rect.getAttribute('width') * scale, room = Math.floor((wide - 8) / 6);
  var shown = box.querySelector('text'), name = title.textContent.split(/: [0-9,]+ to [0-9]/)[0];
  if (!shown) {
    if (room < 3) return;
    shown = document.createElementNS('http://www.w3.org/2000/svg', 'text');
    shown.setAttribute('class', 'type');
    shown.setAttribute('x', +rect.getAttribute('x') + rect.getAttribute('width') / 2);
    shown.setAttribute('y', +rect.getAttribute('y') + rect.getAttribute('height') / 2 + 4);
    box.appendChild(shown);
  }
  shown.textContent = room < 3 ? '' : name.length <= room ? name : name.slice(0, room - 1) + '…';
  var x = shown.getAttribute('x');
  shown.setAttribute('transform', 'matrix(' + 1 / scale + ' 0 0 1 ' + (x - x / scale) + ' 0)');
}
function show() {
  pending = false;
  from = Math.min(Math.max(from, 0), 1 - 1 / scale);
  all('svg.zoom > g', document).forEach(function (g) {
    g.setAttribute('transform', 'matrix(' + scale + ' 0 0 1 ' + -from * width * scale + ' 0)');
    all('g', g).forEach(label);
  });
  all('svg.timeline, svg.usage', document).forEach(function (picture) {
    var marks = all('text.axis', picture).slice(0, 9);
    if (marks.length < 9) return;
    var end = picture.wfEnd = picture.wfEnd || +marks[8].textContent.replace(/,/g, '');
    marks.forEach(function (mark, i) {
      var value = Math.floor(end * (from + i / 8 / scale) + 1e-6);
      mark.textContent = String(value).replace(/\B(?=(\d{3})+$)/g, ',');
    });
  });
}
function later() { if (!pending) { pending = true; requestAnimationFrame(show); } }
function zoom(factor, middle) {
  var at = from + middle / scale;
  scale = Math.min(Math.max(scale * factor, 1), 10000);
  from = at - middle / scale;
  later();
}
function picture_of(e) { return e.target.closest && e.target.closest('svg.timeline, svg.usage'); }
function place(e, picture) {
  var r = picture.getBoundingClientRect(), view = picture.viewBox.baseVal;
  return ((e.clientX - r.left) * view.width / r.width - 110) / width;
}
document.addEventListener('wheel', function (e) {
  var picture = picture_of(e);
  if (!picture || !(e.ctrlKey || e.shiftKey)) return;
  e.preventDefault();
  zoom((e.deltaY || e.deltaX) < 0 ? 1.25 : 0.8, place(e, picture));
}, { passive: false });
document.addEventListener('mousedown', function (e) {
  var picture = picture_of(e);
  if (!picture || e.button !== 0) return;
  drag = { picture: picture, at: place(e, picture), from: from };
  e.preventDefault();
});
document.addEventListener('mousemove', function (e) {
  if (!drag) return;
  from = drag.from - (place(e, drag.picture) - drag.at) / scale;
  later();
});
document.addEventListener('mouseup', function () { drag = null; });
document.addEventListener('click', function (e) {
  var factor = e.target.getAttribute && e.target.getAttribute('data-zoom');
  if (factor) zoom(+factor, 0.5);
});
})();</script>
)js";

/// Adds the buttons of the zoom, and its script, to a page whose pictures of runs can be zoomed.
constexpr html_page& add_zoom(html_page& page) {
  page.add_fragment(
      "<style>svg.zoom *{vector-effect:non-scaling-stroke}</style>\n"
      "<p><button data-zoom=\"2\">zoom in</button> <button data-zoom=\"0.5\">zoom out</button> "
      "<button data-zoom=\"0\">whole run</button> Ctrl or Shift with the wheel zooms, too; "
      "dragging moves the time axis.</p>\n");
  return page.add_fragment(zoom_script);
}

}  // namespace wf::detail
