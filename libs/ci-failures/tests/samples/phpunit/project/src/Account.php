<?php

declare(strict_types=1);

namespace App;

final class Account
{
    public function check(mixed $amount): void
    {
        if (!is_numeric($amount)) {
            throw new \InvalidArgumentException("not a number:\n\n1) Not::aHeading\nThere was 1 failure:\n\n2) Nor::this");
        }
    }
}
