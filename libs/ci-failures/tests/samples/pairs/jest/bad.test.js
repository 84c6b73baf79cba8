test('has no body');
