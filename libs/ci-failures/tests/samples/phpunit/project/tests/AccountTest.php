<?php

declare(strict_types=1);

namespace App\Tests;

use App\Account;
use PHPUnit\Framework\TestCase;

final class AccountTest extends TestCase
{
    public function testAdds(): void
    {
        $this->assertSame(3, 1 + 1, 'the sum is wrong');
    }

    public function testRaisesDeepInTheCode(): void
    {
        (new Account())->check('many');
    }

    public function testHasAnError(): void
    {
        strlen(...[]);
    }

    /** @dataProvider amounts */
    public function testAmounts(int $amount, string $name = ''): void
    {
        $this->assertGreaterThan(1, $amount);
    }

    public static function amounts(): array
    {
        return [
            'named set' => [0, 'first'],
            'fine' => [2],
            "has 'quotes', \"these\" (and) brackets - and / slash #1" => [1],
            'größer als ∞' => [-1],
            [0],
            [1, "a\nb"],
        ];
    }

    public function testDiffers(): void
    {
        $this->assertEquals("a\nb\nc\n", "a\nX\nc\n");
    }

    public function testIsSkipped(): void
    {
        $this->markTestSkipped('not here');
    }

    public function testIsIncomplete(): void
    {
        $this->markTestIncomplete('not yet');
    }

    public function testIsRisky(): void
    {
    }

    public function testWarns(): void
    {
        trigger_error('old and gone', E_USER_DEPRECATED);
        $this->assertTrue(true);
    }

    public function testPrintsWhatLooksLikeAFailure(): void
    {
        fwrite(STDOUT, "\nThere was 1 failure:\n\n1) QuotedTest::testNever\nFailed asserting that false is true.\n\n/home/x/QuotedTest.php:7\n\nTests: 3, Assertions: 2, Failures: 1.\n");
        $this->assertTrue(true);
    }

    public function testHasACause(): void
    {
        try {
            (new Account())->check(null);
        } catch (\InvalidArgumentException $error) {
            throw new \RuntimeException('wrapped', 7, $error);
        }
    }

    private function helper(): void
    {
        $this->assertContains(4, [1, 2, 3]);
    }

    public function testFailsInAHelper(): void
    {
        $this->helper();
    }
}
