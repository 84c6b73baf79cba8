"""Parsers of tools that cannot be run here, and are therefore unproven: .NET, Swift, Dart with Flutter, and Pester."""

from ci_failures.model import Parser
from ci_failures.parsers.platforms.dart import Dart
from ci_failures.parsers.platforms.dart_analyze import DartAnalyze
from ci_failures.parsers.platforms.dotnet import Dotnet
from ci_failures.parsers.platforms.msbuild import MsBuild
from ci_failures.parsers.platforms.nunit import NUnitConsole
from ci_failures.parsers.platforms.pester import Pester
from ci_failures.parsers.platforms.swift import Swift
from ci_failures.parsers.platforms.swiftc import SwiftCompiler
from ci_failures.parsers.platforms.xcpretty import XcPretty

PARSERS: tuple[type[Parser], ...] = (
    Dotnet,
    NUnitConsole,
    MsBuild,
    Swift,
    XcPretty,
    SwiftCompiler,
    Dart,
    DartAnalyze,
    Pester,
)
