"""Git at hand: a cache per repository, fetched by refs and SHAs, in which git answers without a working tree."""
