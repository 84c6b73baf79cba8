import { expect, test } from 'bun:test';
test('ok', () => { console.log('(fail) printed [1.00ms] by a test'); });
test('same', () => { expect({ a: 1 }).toEqual({ a: 2 }); });
