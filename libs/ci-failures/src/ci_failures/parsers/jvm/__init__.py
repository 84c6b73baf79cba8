"""Parsers of tools for the JVM: Maven's, Gradle, sbt, Ant, the runners of JUnit and TestNG, and compilers."""

from ci_failures.model import Parser
from ci_failures.parsers.jvm.ant import Ant
from ci_failures.parsers.jvm.checkstyle import Checkstyle
from ci_failures.parsers.jvm.gradle import Gradle
from ci_failures.parsers.jvm.javac import Javac
from ci_failures.parsers.jvm.junit_console import JUnitConsole
from ci_failures.parsers.jvm.junit_text import JUnitText
from ci_failures.parsers.jvm.kotlinc import Kotlinc
from ci_failures.parsers.jvm.munit import JUnitUnderSbt, Munit
from ci_failures.parsers.jvm.scalac import Scalac
from ci_failures.parsers.jvm.scalatest import ScalaTest
from ci_failures.parsers.jvm.specs2 import Specs2
from ci_failures.parsers.jvm.spotless import Spotless
from ci_failures.parsers.jvm.surefire import Surefire
from ci_failures.parsers.jvm.testng import TestNG
from ci_failures.parsers.jvm.zio import ZioTest

PARSERS: tuple[type[Parser], ...] = (
    Surefire,
    Gradle,
    JUnitConsole,
    JUnitText,
    TestNG,
    Ant,
    ScalaTest,
    Munit,
    JUnitUnderSbt,
    Specs2,
    ZioTest,
    Javac,
    Kotlinc,
    Scalac,
    Checkstyle,
    Spotless,
)
