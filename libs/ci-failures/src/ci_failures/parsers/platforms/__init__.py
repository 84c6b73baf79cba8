"""Parsers of tools that cannot be run here, and are therefore unproven: .NET, Swift, Dart with Flutter, and Pester."""

from ci_failures.parsers import family_attributes

PATHS = (
    "dotnet:Dotnet",
    "nunit:NUnitConsole",
    "msbuild:MsBuild",
    "msbuild:Msvc",
    "swift:Swift",
    "xcpretty:XcPretty",
    "swiftc:SwiftCompiler",
    "xcodebuild:Xcodebuild",
    "xcode_signing:XcodeSigning",
    "dart:Dart",
    "dart_analyze:DartAnalyze",
    "pester:Pester",
)
"""Their modules and classes, in the order in which they read."""

__getattr__ = family_attributes(__name__, PATHS)
