module.exports = (config) => config.set({
  frameworks: ['jasmine'], files: ['test/*.js'], browsers: ['jsdom'], singleRun: true, plugins: ['karma-*'],
  client: { jasmine: { random: false } },
  junitReporter: { outputDir: '.', outputFile: 'junit.xml', useBrowserName: false },
});
