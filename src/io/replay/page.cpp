// The viewer's page, as bytes in the program. The assembler reads the file: a text of this size as an array would take
// the compiler long.
#include <cstddef>

#include "io/replay/html.h"

__asm__(
    ".pushsection .rodata\n"
    ".balign 16\n"
    ".global touchstone_viewer_page_begin\n"
    ".global touchstone_viewer_page_end\n"
    "touchstone_viewer_page_begin:\n"
    ".incbin \"" TOUCHSTONE_VIEWER_PAGE
    "\"\n"
    "touchstone_viewer_page_end:\n"
    ".byte 0\n"
    ".popsection\n");

extern "C" {
extern const char touchstone_viewer_page_begin[];
extern const char touchstone_viewer_page_end[];
}

namespace touchstone {

std::string_view viewer_page() {
  return {touchstone_viewer_page_begin,
          static_cast<std::size_t>(touchstone_viewer_page_end - touchstone_viewer_page_begin)};
}

}  // namespace touchstone
