"""Errors of package managers for Ruby, PHP and Elixir: Bundler and RubyGems, Composer, Mix."""

from ci_failures.parsers.single_line_parser import Sign

RUBY = (
    Sign(
        wakes="Could not find gem '",
        kind="dependency",
        tool="bundler",
        rule="not found:",
        form=r"^Could not find gem '(?P<what>[^']{1,200})' in ",
    ),
    Sign(
        wakes="ould not find compatible versions",
        kind="dependency",
        tool="bundler",
        rule="no compatible versions",
        form=r"^(?:Bundler could not find compatible versions for gem \"(?P<what>[^\"]{1,200})\"|Could not find"
        r" compatible versions$)",
        more=12,
        follows=r"^(?:\s|Because|So,|And|$)",
    ),
    Sign(
        wakes="Could not find ",
        kind="dependency",
        tool="bundler",
        rule="not installed:",
        form=r"^(?:bundler: |Bundler::GemNotFound: |\S{1,300}:\d+:in .{1,100}: )?Could not find"
        r" (?P<what>[\w.-]{1,100}-\d[\w.]{0,30})(?:, \S+)* in"
        r" (?:any of the sources|locally installed gems|rubygems repository|cached gems)",
    ),
    Sign(
        wakes=", and Bundler cannot continue",
        kind="dependency",
        tool="bundler",
        rule="not installed:",
        form=r"^An error occurred while installing (?P<what>\S+ \([^)]{1,60}\)), and Bundler cannot continue\.",
    ),
    Sign(
        wakes="ockfile can't be updated because",
        kind="dependency",
        tool="bundler",
        rule="Gemfile.lock is out of date",
        form=r"lockfile can't be updated because (?:frozen mode is set|it's in a frozen)",
        more=8,
    ),
    Sign(
        wakes="in deployment mode after changing",
        kind="dependency",
        tool="bundler",
        rule="Gemfile.lock is out of date",
        form=r"^You are trying to install in deployment mode after changing",
        more=8,
    ),
    Sign(
        wakes="but your Gemfile specified",
        kind="dependency",
        tool="bundler",
        rule="another Ruby is wanted:",
        form=r"^Your Ruby version is \S+, but your Gemfile specified (?P<what>.{1,60})$",
    ),
    Sign(
        wakes="[!] There was an error ",
        kind="dependency",
        tool="bundler",
        rule="not readable:",
        form=r"^\[!\] There was an error (?:parsing|while loading) `(?P<what>[^`]{1,300})`: ",
        more=12,
        follows=r"^(?:\s|\.|#|$)",
    ),
    Sign(
        wakes="Could not locate Gemfile",
        kind="dependency",
        tool="bundler",
        rule="no Gemfile",
        form=r"^Could not locate Gemfile(?: or \.bundle/ directory)?$",
    ),
    Sign(
        wakes="The deployment setting requires a ",
        kind="dependency",
        tool="bundler",
        rule="no Gemfile.lock",
        form=r"^The deployment setting requires a (?:Gemfile\.lock|lockfile)",
        more=1,
    ),
    Sign(
        wakes="Your bundle only supports platforms ",
        kind="dependency",
        tool="bundler",
        rule="Gemfile.lock is for other platforms",
        form=r"^Your bundle only supports platforms \[",
        more=2,
    ),
    Sign(
        wakes="The following gems are missing",
        kind="dependency",
        tool="bundler",
        rule="not installed",
        form=r"^The following gems are missing$",
        more=20,
        follows=r"^ \* ",
    ),
    Sign(
        wakes="bundler: command not found: ",
        kind="dependency",
        tool="bundler",
        rule="no command:",
        form=r"^bundler: command not found: (?P<what>\S{1,200})",
    ),
    Sign(
        wakes="The path `",
        kind="dependency",
        tool="bundler",
        rule="no such path:",
        form=r"^The path `(?P<what>[^`]{1,300})` does not exist\.$",
    ),
    Sign(
        wakes="Git error: command `git ",
        kind="dependency",
        tool="bundler",
        rule="git failed:",
        form=r"^Git error: command `git (?P<what>[\w-]{1,40})",
        more=6,
    ),
    Sign(
        wakes="Could not fetch specs from ",
        kind="dependency",
        tool="bundler",
        rule="not fetched:",
        form=r"^Could not fetch specs from (?P<what>\S{1,300})",
        more=3,
    ),
    Sign(
        wakes="Could not reach host ",
        kind="dependency",
        tool="bundler",
        rule="not reached:",
        form=r"^Could not reach host (?P<what>\S{1,200})\. Check your network",
    ),
    Sign(
        wakes="Could not find a valid gem '",
        kind="dependency",
        tool="gem",
        rule="not found:",
        form=r"^ERROR: {1,2}Could not find a valid gem '(?P<what>[^']{1,200})' \(",
    ),
)
PHP = (
    Sign(
        wakes="Your requirements could not be resolved",
        kind="dependency",
        tool="composer",
        rule="unresolved",
        more=12,
        form=r"^Your requirements could not be resolved to an installable set of packages\.",
        follows=r"^(?:\s|$)",
    ),
    Sign(
        wakes="Your lock file does not contain a compatible set",
        kind="dependency",
        tool="composer",
        rule="composer.lock fits nothing here",
        more=12,
        form=r"^Your lock file does not contain a compatible set of packages\.",
        follows=r"^(?:\s|$)",
    ),
    Sign(
        wakes="is not present in the lock file",
        kind="dependency",
        tool="composer",
        rule="composer.lock is out of date:",
        form=r"^- Required (?:\(in require-dev\) )?package \"(?P<what>[^\"]{1,200})\" is not present in the"
        r" lock file\.$",
    ),
    Sign(
        wakes="Could not find ",
        kind="dependency",
        tool="composer",
        rule="not found:",
        form=r"^\s*Could not find (?:a (?:matching )?version of )?package (?P<what>[\w./-]{1,200}?)(?:[ .,]|$)",
    ),
    Sign(
        wakes="file could not be downloaded",
        kind="dependency",
        tool="composer",
        rule="not downloaded:",
        form=r"^\s*The \"(?P<what>[^\"]{1,300})\" file could not be downloaded",
        more=2,
    ),
)
ELIXIR = (
    Sign(
        wakes="dependency resolution failed",
        kind="dependency",
        tool="mix",
        rule="unresolved",
        form=r"^\*\* \(Mix\) Hex dependency resolution failed",
    ),
    Sign(
        wakes="Can't continue due to errors on dependencies",
        kind="dependency",
        tool="mix",
        rule="dependencies are missing or out of date",
        form=r"^\*\* \(Mix\) Can't continue due to errors on dependencies",
    ),
)

SIGNS = (*RUBY, *PHP, *ELIXIR)
