# SPDX-License-Identifier: BSL-1.0
"""A hook of mkdocs: orders the four kinds of pages as a newcomer needs them."""

KINDS = ["tutorial", "how-to", "explanation", "reference"]


def on_files(files, config):
    pages = sorted(file.src_uri for file in files.documentation_pages())
    front = [page for page in pages if "/" not in page]
    config.nav = front + [
        {kind.capitalize(): [page for page in pages if page.startswith(kind + "/")]}
        for kind in KINDS if any(page.startswith(kind + "/") for page in pages)]
