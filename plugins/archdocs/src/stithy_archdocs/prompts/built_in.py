"""The prompts that every project has; a file of the same name takes the place of one."""

from stithy_archdocs.prompts.records import Argument, Message, Template

_CODE = Argument(name="code", description="Code to validate", required=True, longest=50_000)
_LANGUAGE = Argument(name="language", description="Programming language", longest=50)
_PATTERN = Argument(name="pattern_name", description="Name of pattern to validate against", longest=500)

GUIDED = Template(
    name="guided-pattern-validation",
    title="Validate code against a pattern",
    description="Guided workflow for validating code against patterns",
    arguments=(_CODE, _PATTERN, _LANGUAGE),
    messages=(
        Message(
            role="user",
            text="I'll help you validate this code against our patterns.\n\n{{tool:validate-against-pattern}}\n\n"
            "You can use the validate-against-pattern tool with your code to check compliance.",
        ),
        Message(
            role="user",
            text="Pattern (choose one of architecture://patterns where none is named): {{pattern_name}}\n"
            "Language: {{language}}\nCode:\n\n{{code}}",
        ),
    ),
    workflow=True,
)
REVIEW = Template(
    name="review-code-against-patterns",
    title="Review code against our patterns",
    description="Review code against all documented patterns",
    arguments=(_CODE, _LANGUAGE),
    messages=(
        Message(
            role="user",
            text="Review the code below against our architectural patterns. For every pattern that it touches, say"
            " whether the code follows it, with the line and the sentence of the pattern that you rest on. Where a"
            " pattern carries rules, call the tool: its verdict counts, and not_checkable is no approval.\n\n"
            "{{tool:validate-against-pattern}}\n\nLanguage: {{language}}\nCode:\n\n{{code}}\n\n"
            "Our patterns:\n\n{{resource:architecture://patterns/*}}",
        ),
    ),
    workflow=True,
)
SUGGEST = Template(
    name="suggest-patterns",
    title="Suggest patterns for a problem",
    description="Find the documented patterns that fit a problem",
    arguments=(Argument(name="problem", description="What is to be built or solved", required=True, longest=5_000),),
    messages=(
        Message(
            role="user",
            text="Which of our documented patterns fit this problem? Name at most three, each with its URI, why it"
            " fits, and what in it speaks against it here. When you find none that fits, say what you searched for;"
            " do not invent any.\n\n"
            "Problem: {{problem}}\n\n{{tool:search-architecture}}\n\nOur patterns:\n\n"
            "{{resource:architecture://patterns/*}}",
        ),
    ),
)
CREATE = Template(
    name="create-adr",
    title="Create an architecture decision record",
    description="Draft a decision record that fits those that are there",
    arguments=(
        Argument(name="title", description="What is decided", required=True, longest=500),
        Argument(name="context", description="Why it must be decided now", longest=2_000),
        Argument(name="adr_id", description="A record that this one supersedes or amends", longest=500),
    ),
    messages=(
        Message(
            role="user",
            text="Draft an architecture decision record.\n\nTitle: {{title}}\nContext: {{context}}\n"
            "It supersedes or amends: {{adr_id}}\n\n"
            "First check whether it fits the records that are there, and quote what speaks against it. An empty answer"
            " does not show that no record is about it: search for its subject, too.\n\n"
            "{{tool:check-adr-alignment}}\n\n{{tool:search-architecture}}\n\n"
            "Then write it in the form of the newest records, with: Status (Proposed), Context, Options with the"
            " reasons for and against each, Decision in one sentence, Consequences. Take the next free number. Mark"
            " what you do not know as a question, never as a fact.\n\n{{resource:architecture://adr/{{adr_id}}}}",
        ),
    ),
)
BUILT_IN = {template.name: template for template in (GUIDED, REVIEW, SUGGEST, CREATE)}
