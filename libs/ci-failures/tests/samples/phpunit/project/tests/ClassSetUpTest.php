<?php

namespace App\Tests;

use PHPUnit\Framework\TestCase;

final class ClassSetUpTest extends TestCase
{
    public static function setUpBeforeClass(): void
    {
        throw new \LogicException('the whole class fails');
    }

    public function testIsOne(): void
    {
        $this->assertTrue(true);
    }

    public function testIsTwo(): void
    {
        $this->assertTrue(true);
    }
}
