import { test } from 'vitest';
const x = ;
test('is never read', () => {});
