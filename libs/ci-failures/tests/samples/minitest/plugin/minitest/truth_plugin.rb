require "minitest"
require "json"

# Writes what failed, as Minitest itself has it, to the file that STITHY_TRUTH names.
class Truth < Minitest::StatisticsReporter
  def report
    rows = results.reject(&:skipped?).map do |result|
      name = "#{result.respond_to?(:klass) ? result.klass : result.class}##{result.name}"
      { name: name, error: result.error?, place: place(result) }
    end
    File.write(ENV.fetch("STITHY_TRUTH"), JSON.dump(rows))
  end

  private

  # Where the assertion says that it is, or the first line of a backtrace that lies in the project.
  def place(result)
    failure = result.failure
    return failure.location unless failure.is_a?(Minitest::UnexpectedError)

    failure.error.backtrace.find { |line| !line.start_with?("/") || line.start_with?(Dir.pwd) }
  end
end

# Minitest finds this file by its name.
module Minitest
  def self.plugin_truth_init(options)
    reporter << Truth.new(StringIO.new, options)
  end

  extensions << "truth" if ENV["MT_NO_PLUGINS"]
end
