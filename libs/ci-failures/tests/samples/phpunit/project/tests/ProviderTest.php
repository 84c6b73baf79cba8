<?php

namespace App\Tests;

use PHPUnit\Framework\TestCase;

final class ProviderTest extends TestCase
{
    /** @dataProvider missing */
    public function testHasNoData(int $number): void
    {
        $this->assertTrue(true);
    }
}
