export default {
  test: {
    projects: [
      { test: { name: 'unit', include: ['src/auth.test.mjs'] } },
      { test: { name: 'web api', include: ['src/hooks.test.mjs'] } },
    ],
  },
};
