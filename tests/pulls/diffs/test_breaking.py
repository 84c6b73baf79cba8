"""Whether callers break, where several definitions share a name: overloads, receivers, accessors (FIX-25)."""

import difflib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stithy_core.spi import Unknown
from stithy_pulls.code.touched_definitions import compare_definitions
from stithy_pulls.diffs.diff_model import ChangedFile, DiffHunk, DiffLine, LineKind
from stithy_pulls.suggestions.breaking_changes import find_breaking_changes, is_breaking

ENDINGS = {"csharp": "cs", "typescript": "ts", "javascript": "js", "python": "py", "rust": "rs"}


def find_in_versions(language, old, new):
    """Compare two versions of a file, and return the verdict, the breaks and what is touched."""
    path = f"src/a.{ENDINGS.get(language, language)}"
    lines, before, after = [], 0, 0
    for text in difflib.ndiff(old.splitlines(), new.splitlines()):
        if text[0] == "?":
            continue
        kind = {" ": LineKind.SAME, "+": LineKind.ADDED, "-": LineKind.REMOVED}[text[0]]
        before, after = before + (kind is not LineKind.ADDED), after + (kind is not LineKind.REMOVED)
        of_old, of_new = None if kind is LineKind.ADDED else before, None if kind is LineKind.REMOVED else after
        lines.append(DiffLine(kind, text[2:], of_old, of_new))
    hunk = DiffHunk(1, before, 1, after, "", tuple(lines))
    change = ChangedFile(
        path=path, status="modified", additions=1, deletions=1, hunks=(hunk,), old="1" * 40, new="2" * 40
    )
    code = compare_definitions([change], {"1" * 40: old.encode(), "2" * 40: new.encode()})
    found = find_breaking_changes([], code, [change])
    return is_breaking(found, code, [change], ""), found, code.touched


def go(*functions, package="p"):
    return f"package {package}\n\ntype A struct{{}}\n\ntype B struct{{}}\n\n" + "\n".join(
        f"{f} {{}}" for f in functions
    )


def holder(language, *members):
    head = {"python": "class P:", "typescript": "export class P {", "javascript": "export class P {"}
    begin = head.get(language, "public class P {")
    end = "" if language == "python" else "}\n"
    return f"{begin}\n" + "".join(f"    {member}\n" for member in members) + end


TRUE = {
    "a method of B goes, and A has one of that name": (
        "go",
        go("func (a *A) Next()", "func (b *B) Next()"),
        go("func (a *A) Next()"),
    ),
    "an overload goes (Java)": (
        "java",
        holder("java", "public void f(int a) {}", "public void f(String a) {}"),
        holder("java", "public void f(int a) {}"),
    ),
    "an overload goes (C#)": (
        "csharp",
        holder("csharp", "public void F(int a) {}", "public void F(string a) {}"),
        holder("csharp", "public void F(string a) {}"),
    ),
    "an overload goes (TypeScript)": (
        "typescript",
        "export function f(a: string): void;\nexport function f(a: number): void;\nexport function f(a: any) {}\n",
        "export function f(a: string): void;\nexport function f(a: any) {}\n",
    ),
    "an overload of an abstract class goes (TypeScript)": (
        "typescript",
        "export abstract class A {\n  abstract f(a: string): void;\n  abstract f(a: number): void;\n}\n",
        "export abstract class A {\n  abstract f(a: string): void;\n}\n",
    ),
    "a setter goes (Python)": (
        "python",
        holder("python", "@property", "def x(self): return 1", "@x.setter", "def x(self, v): pass"),
        holder("python", "@property", "def x(self): return 1"),
    ),
    "a deleter goes, whose signature is the getter's (Python)": (
        "python",
        holder("python", "@property", "def x(self): return 1", "@x.deleter", "def x(self): pass"),
        holder("python", "@property", "def x(self): return 1"),
    ),
    "a setter goes (JavaScript)": (
        "javascript",
        holder("javascript", "get x() { return 1 }", "set x(v) {}"),
        holder("javascript", "get x() { return 1 }"),
    ),
    "an initializer goes (Swift)": (
        "swift",
        holder("swift", "public init(a: Int) {}", "public init(b: Int) {}"),
        holder("swift", "public init(a: Int) {}"),
    ),
    "a member of an interface goes (C#)": (
        "csharp",
        "public interface I {\n    void F(int a);\n    void F(string a);\n}\n",
        "public interface I {\n    void F(int a);\n}\n",
    ),
    "a constructor goes (Java)": (
        "java",
        holder("java", "public P(int a) {}", "public P(String a) {}"),
        holder("java", "public P(int a) {}"),
    ),
}
NOT_FALSE = {
    "a method of B gets a parameter, and A has one of that name": (
        "go",
        go("func (a *A) Next(n int)", "func (b *B) Next()"),
        go("func (a *A) Next(n int)", "func (b *B) Next(n int)"),
    ),
    "a receiver becomes a pointer": ("go", go("func (a A) F()"), go("func (a *A) F()")),
    "a result is added": ("go", go("func F(a int) error"), go("func F(a int) (int, error)")),
    "a method of an unexported type goes": (
        "go",
        "package p\n\ntype a struct{}\n\nfunc (x *a) F() {}\n",
        "package p\n\ntype a struct{}\n",
    ),
    "the setter of a property becomes private (C#)": (
        "csharp",
        holder("csharp", "public int X { get; set; }"),
        holder("csharp", "public int X { get; private set; }"),
    ),
    "two overloads become another one": (
        "java",
        holder("java", "public void f(int a) {}", "public void f(String a) {}"),
        holder("java", "public void f(long a) {}"),
    ),
    "the name of a parameter (Python)": ("python", "def f(a): pass\n", "def f(b): pass\n"),
    "the name of a parameter (C#)": (
        "csharp",
        holder("csharp", "public void F(int a) {}"),
        holder("csharp", "public void F(int b) {}"),
    ),
    "the key of an object (JavaScript)": (
        "javascript",
        "export function f({a}) {}\n",
        "export function f({b}) {}\n",
    ),
    "a property becomes a method (Python)": (
        "python",
        holder("python", "@property", "def x(self): return 1"),
        holder("python", "def x(self): return 1"),
    ),
    "a field goes (Java)": ("java", holder("java", "public int a;", "public int b;"), holder("java", "public int a;")),
    "a field goes (Go)": (
        "go",
        "package p\n\ntype T struct {\n\tA int\n\tB int\n}\n",
        "package p\n\ntype T struct {\n\tA int\n}\n",
    ),
    "an attribute goes (Python)": (
        "python",
        holder("python", "a: int", "b: int", "def f(self): pass"),
        holder("python", "a: int", "def f(self): pass"),
    ),
    "a member of an interface changes (TypeScript)": (
        "typescript",
        "export interface I {\n  a: string;\n  b: number;\n}\n",
        "export interface I {\n  a: string;\n  b: string;\n}\n",
    ),
}
FALSE = {
    "how a function takes a typed object apart (TypeScript)": (
        "typescript",
        "export function f({a}: X) {}\nexport const g: F<X> = ({a}) => 1\n",
        "export function f({b}: X) {}\nexport const g: F<X> = ({b, ...c}) => 2\n",
    ),
    "annotations (Python)": (
        "python",
        "def f(a, *b, c=1): pass\n",
        "def f(a: int, *b: int, c: int | None=1) -> None: pass\n",
    ),
    "a name that __all__ does not list (Python)": (
        "python",
        '__all__ = ["f"]\n\n\ndef f(): pass\n\n\ndef g(): pass\n',
        '__all__ = ["f"]\n\n\ndef f(): pass\n',
    ),
    "a promoted parameter (PHP)": (
        "php",
        "<?php\nclass A {\n  public function __construct(string $a) {}\n}\n",
        "<?php\nclass A {\n  public function __construct(\n    private readonly string $a,\n  ) {}\n}\n",
    ),
    "an annotation of a class (Java)": (
        "java",
        holder("java", "public void f() {}"),
        f"@Scoped(1)\n{holder('java', 'public void f() {}')}",
    ),
    "a method of another receiver is added": (
        "go",
        go("func (a *A) Next()"),
        go("func (b *B) Next(n int)", "func (a *A) Next()"),
    ),
    "an overload is added before": (
        "java",
        holder("java", "public void f(int a) {}"),
        holder("java", "public void f(String a) {}", "public void f(int a) {}"),
    ),
    "names of parameters (Go)": (
        "go",
        go("func F(_ int, a, b string) (n int)"),
        go("func F(hints int, c string, d string) int"),
    ),
    "the name of a receiver": ("go", go("func (a *A) F()"), go("func (self *A) F()")),
    "package main": ("go", go("func F(a int)", package="main"), go("func F(a string)", package="main")),
    "a function of package main goes": (
        "go",
        go("func F()", "func G()", package="main"),
        go("func G()", package="main"),
    ),
    "names of parameters (Java)": (
        "java",
        holder("java", "public void f(final int a, String... b) {}"),
        holder("java", "@Override", "public synchronized void f(int count, String... names) {}"),
    ),
    "names of parameters (Rust)": (
        "rust",
        "pub fn f(a: i32, mut b: &str) -> i32 { 1 }\n",
        "pub fn f(count: i32, name: &str) -> i32 { 1 }\n",
    ),
    "names of parameters (TypeScript)": (
        "typescript",
        "export function f(a: string, b = 1, ...c: number[]) {}\nexport const g = x => x\n",
        "export function f(\n  name: string,\n  count = 2,\n  ...others: number[],\n) {}\nexport const g = (y) => y\n",
    ),
    "the order of overloads": (
        "java",
        holder("java", "public void f(int a) {}", "public void f(String a) {}"),
        holder("java", "public void f(String a) {}", "public void f(int a) {}"),
    ),
    "a body": (
        "csharp",
        holder("csharp", "public int X { get { return 1; } }"),
        holder("csharp", "public int X { get { return 2; } }"),
    ),
    "a method is async, and its result is declared (TypeScript)": (
        "typescript",
        holder("typescript", "f(a?: string): Promise<void> {}"),
        holder("typescript", "async f(b?: string): Promise<void> {}"),
    ),
    "the name of a parameter behind its label (Swift)": (
        "swift",
        holder("swift", "public func f(at file: String) -> Int {}"),
        holder("swift", "@discardableResult public func f(at path: String) -> Int {}"),
    ),
    "an initializer becomes a convenience (Swift)": (
        "swift",
        holder("swift", "public init(a: Int) {}"),
        holder("swift", "public convenience init(a: Int) {}"),
    ),
    "a method of a type that is not public (Rust)": (
        "rust",
        "pub(crate) struct S<T>(T);\nimpl<T> S<T> { pub fn f(&self, a: i32) {} pub fn g(&self) {} }\n",
        "pub(crate) struct S<T>(T);\nimpl<T> S<T> { pub fn f(&self, a: u8) {} }\n",
    ),
    "a method of an anonymous class (Java)": (
        "java",
        holder("java", "private F f = new F() { public void a() {} };"),
        holder("java", "private F f = null;"),
    ),
    "a method in an extension of a hidden type (Swift)": (
        "swift",
        "@_spi(T) public struct A {}\nextension A { public func f() {} }\n",
        "@_spi(T) public struct A {}\n",
    ),
    "a name for colleagues only (Swift)": (
        "swift",
        "@_spi(Inner) public struct A { public func f() {} }\n",
        "public struct B {}\n",
    ),
    "a receiver that is changed inside (Rust)": (
        "rust",
        "pub struct S;\nimpl S { pub fn f(self, a: u8) {} }\n",
        "pub struct S;\nimpl S { pub fn f(mut self, a: u8) {} }\n",
    ),
    "a comment between the attributes (Swift)": (
        "swift",
        holder("swift", "/** Words. */ @discardableResult public func f() -> Int {}"),
        holder("swift", "/** Others. */ public func f() -> Int {}"),
    ),
    "an extension without a public member goes (Swift)": (
        "swift",
        "extension Request: P { func f() {} }\n",
        "struct B {}\n",
    ),
    "a static method becomes one of the class (Python)": (
        "python",
        holder("python", "@staticmethod", "def f(a): pass"),
        holder("python", "@classmethod", "def f(cls, a): pass"),
    ),
    "another kind of property (Python)": (
        "python",
        holder("python", "@classproperty", "def x(self): return 1"),
        holder("python", "x = classproperty()", "@x.getter", "def x(self): return 1"),
    ),
    "the base of all classes (Python)": ("python", "class A(object): pass\n", "class A: pass\n"),
    "how a property is stored (C#)": (
        "csharp",
        holder("csharp", "public int A {\nget => a;\n#pragma warning disable 1\nset => a = value;\n}"),
        holder("csharp", "public int A { get; set; } = 1;"),
    ),
    "another way to write it (Java)": (
        "java",
        holder("java", "static public Class f(Class<?> a) {}"),
        holder("java", "public static Class<?> f(Class a) {}"),
    ),
    "another way to write it (Rust)": ("rust", "pub fn f(a: Box<A>) {}\n", "pub fn f(a: Box<dyn A>) {}\n"),
    "the quotes of a default (Python)": ("python", "def f(a='b'): pass\n", 'def f(a="b"): pass\n'),
    "the body of a subscript (Swift)": (
        "swift",
        holder("swift", "public subscript(a: Int) -> Int { get { a } }"),
        holder("swift", "public subscript(a: Int) -> Int { get { a + 1 } }"),
    ),
    "a member that begins with an underscore (TypeScript)": (
        "typescript",
        holder("typescript", "get _a() { return 1 }", "b() {}"),
        holder("typescript", "b() {}"),
    ),
    "a comment within a type (TypeScript)": (
        "typescript",
        "export type A = B &\n  /** Old. */\n  C;\nexport function f(a: {\n  // old\n  b: X;\n}) {}\n",
        "export type A = B &\n  /** New. */\n  C;\nexport function f(a: {\n  // new\n  b: X;\n}) {}\n",
    ),
    "what a comment calls internal (PHP)": (
        "php",
        "<?php\n/**\n * @internal\n */\nfunction f() {}\n\nfunction g() {}\n",
        "<?php\nfunction g() {}\n",
    ),
    "what a comment calls internal (TypeScript)": (
        "typescript",
        "/** @internal */\nexport function f() {}\n\nexport function g() {}\n",
        "export function g() {}\n",
    ),
    "a private field": ("java", holder("java", "private int a;", "public int b;"), holder("java", "public int b;")),
}


@pytest.mark.parametrize("case", TRUE)
def test_callers_break(case):
    """(FIX-25)."""
    found, named, _ = find_in_versions(*TRUE[case])
    assert found is True
    assert named[0].certain


@pytest.mark.parametrize("case", NOT_FALSE)
def test_undecidable_breaks_are_unknown(case):
    """(FIX-25)."""
    assert isinstance(find_in_versions(*NOT_FALSE[case])[0], Unknown)


@pytest.mark.parametrize("case", FALSE)
def test_no_caller_notices(case):
    """(FIX-25)."""
    found, named, _ = find_in_versions(*FALSE[case])
    assert (found, named) == (False, [])


def test_a_definition_whose_lines_remain_is_not_removed():
    """Its holder may have another name, or code above it that the parser does not know."""
    rust = "pub struct A{0};\n\nimpl{0} A{0} {{\n    pub fn f() {{}}\n}}\n"
    call = "export interface B {{\n{0}}}\n\nexport interface C<T> {{\n  c: D<T>\n}}\n"
    new = "  <T extends E<F>>(\n    a: T\n  ): G<F, T>\n" * 2
    for language, before, after in (
        ("rust", rust.format("<'a>"), rust.format("")),
        ("typescript", call.format(""), call.format(new)),
    ):
        _, _, touched = find_in_versions(language, before, after)
        assert not [one for one in touched if one.what == "removed"]


METHODS = st.lists(
    st.tuples(st.sampled_from("AB"), st.sampled_from(["F", "G"]), st.sampled_from(["", "int", "string"])),
    max_size=6,
    unique_by=lambda method: method[:2],
)


@given(METHODS, METHODS)
def test_a_method_that_is_gone_or_other_is_never_no_break(before, after):
    """(FIX-25)."""
    old, new = (
        go(*(f"func (x *{of}) {name}(a {of_type})".replace("(a )", "()") for of, name, of_type in methods))
        for methods in (before, after)
    )
    found = find_in_versions("go", old, new)[0]
    if {method[:2] for method in before} - {method[:2] for method in after}:
        assert found is True or isinstance(found, Unknown)
    elif set(before) - set(after):
        assert isinstance(found, Unknown)
    else:
        assert found is False


OVERLOADS = st.lists(st.sampled_from(["int", "String", "long", "char"]), max_size=4, unique=True)


@given(OVERLOADS, OVERLOADS)
def test_an_overload_that_is_gone_is_never_no_break(before, after):
    """(FIX-25)."""
    old, new = (holder("java", *(f"public void f({kind} a) {{}}" for kind in kinds)) for kinds in (before, after))
    found = find_in_versions("java", old, new)[0]
    assert (found is False) == (not set(before) - set(after))
