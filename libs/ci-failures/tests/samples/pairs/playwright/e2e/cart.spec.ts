import { test, expect } from '@playwright/test';
test.describe('Cart', () => {
  test('adds', () => { expect(2).toBe(3); });
  test('passes', () => {});
  test.describe('when › empty', () => { test('throws "it" <x>', () => { throw new TypeError('no\nitems'); }); });
  test('soft', () => { expect.soft(1).toBe(2); expect.soft(3).toBe(4); });
  test('step', async () => { await test.step('inner', () => { expect(1).toBe(2); }); });
  test('tagged', { tag: ['@slow', '@x'] }, () => { expect(1).toBe(2); });
});
test.describe('Set-up', () => { test.beforeAll(() => { throw new Error('broke'); }); test('one', () => {}); });
