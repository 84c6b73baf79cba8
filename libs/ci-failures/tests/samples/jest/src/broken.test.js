const x = ;
test('is never read', () => {});
