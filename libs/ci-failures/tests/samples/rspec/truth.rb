require "json"

# Writes what failed, as RSpec itself has it, to the file that STITHY_TRUTH names.
class Truth
  RSpec::Core::Formatters.register self, :dump_summary, :close, :message

  def initialize(_output)
    @failures = []
    @errors = []
  end

  def message(notification)
    @errors << notification.message if notification.message.include?("An error occurred")
  end

  def dump_summary(notification)
    @failures = notification.failed_examples.map do |example|
      { id: notification.send(:rerun_argument_for, example), frame: frame(example.exception) }
    end
  end

  def close(_notification)
    File.write(ENV.fetch("STITHY_TRUTH"), JSON.dump(failures: @failures, errors: @errors))
  end

  private

  def frame(exception)
    exception = exception.all_exceptions.first if exception.respond_to?(:all_exceptions)
    place = (exception.backtrace || []).find { |line| line.start_with?(Dir.pwd) }
    place && place.delete_prefix("#{Dir.pwd}/")
  end
end
