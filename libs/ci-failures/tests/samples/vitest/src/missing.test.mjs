import { test } from 'vitest';
import { nothing } from './not-there.mjs';
test('is never run', () => nothing());
