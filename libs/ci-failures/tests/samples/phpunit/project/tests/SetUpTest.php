<?php

namespace App\Tests;

use PHPUnit\Framework\TestCase;

final class SetUpTest extends TestCase
{
    protected function setUp(): void
    {
        throw new \LogicException('no connection');
    }

    public function testNeverRuns(): void
    {
        $this->assertTrue(true);
    }
}
