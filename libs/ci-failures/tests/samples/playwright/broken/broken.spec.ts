import { test } from '@playwright/test';
const x = ;
test('is never read', () => {});
