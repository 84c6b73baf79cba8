"""Tools for the JVM: Maven's, Gradle, sbt, Ant, the runners of JUnit and TestNG, and compilers."""

from stithy_ci.parsers.jvm.ant import Ant
from stithy_ci.parsers.jvm.checkstyle import Checkstyle
from stithy_ci.parsers.jvm.gradle import Gradle
from stithy_ci.parsers.jvm.javac import Javac
from stithy_ci.parsers.jvm.junit_console import JUnitConsole
from stithy_ci.parsers.jvm.junit_text import JUnitText
from stithy_ci.parsers.jvm.kotlinc import Kotlinc
from stithy_ci.parsers.jvm.munit import JUnitUnderSbt, Munit
from stithy_ci.parsers.jvm.scalac import Scalac
from stithy_ci.parsers.jvm.scalatest import ScalaTest
from stithy_ci.parsers.jvm.specs2 import Specs2
from stithy_ci.parsers.jvm.spotless import Spotless
from stithy_ci.parsers.jvm.surefire import Surefire
from stithy_ci.parsers.jvm.testng import TestNG
from stithy_ci.parsers.jvm.zio import ZioTest
from stithy_ci.spi import LogParser

PARSERS: tuple[type[LogParser], ...] = (
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
