"""Tools that are not to be had here, so these are unproven: .NET, Swift, Dart with Flutter, and Pester."""

from stithy_ci.parsers.platforms.dart import Dart
from stithy_ci.parsers.platforms.dart_analyze import DartAnalyze
from stithy_ci.parsers.platforms.dotnet import Dotnet
from stithy_ci.parsers.platforms.msbuild import MsBuild
from stithy_ci.parsers.platforms.nunit import NUnitConsole
from stithy_ci.parsers.platforms.pester import Pester
from stithy_ci.parsers.platforms.swift import Swift
from stithy_ci.parsers.platforms.swiftc import SwiftCompiler
from stithy_ci.parsers.platforms.xcpretty import XcPretty
from stithy_ci.spi import LogParser

PARSERS: tuple[type[LogParser], ...] = (
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
