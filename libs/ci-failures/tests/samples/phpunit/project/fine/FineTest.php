<?php

use PHPUnit\Framework\TestCase;

final class FineTest extends TestCase
{
    public function testIsFine(): void
    {
        $this->assertTrue(true);
    }

    public function testIsRisky(): void
    {
    }
}
