"""Lists, a page at a time."""

from urllib.parse import urlencode

from github_double.rest.routing import Call, Reply, Rows

LARGEST = 100


def page_of(call: Call, path: str, rows: Rows) -> Reply:
    """Cut a list into pages, and lead to the others, by the repository's number where it is in one."""
    size = max(1, min(int(call.query.get("per_page", rows.size)), LARGEST))
    page = max(1, int(call.query.get("page", 1)))
    last = max(1, -(-len(rows.items) // size))
    shown = [rows.render(call, item) for item in rows.items[(page - 1) * size : page * size]]
    there = {"next": page + 1, "last": last} if page < last else {}
    there |= {"prev": page - 1, "first": 1} if page > 1 else {}
    home = call.target
    numbered = path.replace(f"/repos/{home.full_name}", f"/repositories/{home.id}", 1) if home else path
    address = call.api(numbered)
    links = (f'<{address}?{urlencode(call.query | {"page": to})}>; rel="{rel}"' for rel, to in there.items())
    headers = {"Link": ", ".join(links)} if there else {}
    return Reply(rows.wrap(shown, len(rows.items)) if rows.wrap else shown, headers=headers)
