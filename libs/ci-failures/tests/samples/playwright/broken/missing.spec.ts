import { test } from '@playwright/test';
import { nothing } from './not-there';
test('is never run', () => nothing());
