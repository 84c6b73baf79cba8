import java.io.File;
import java.util.Arrays;
import java.util.List;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;
import javax.tools.ToolProvider;

/** Prints place and line of each error that the compiler has in sources: FOLDER CLASSPATH SOURCE... */
public class Diagnose {
    public static void main(String[] words) throws Exception {
        var compiler = ToolProvider.getSystemJavaCompiler();
        var told = new DiagnosticCollector<JavaFileObject>();
        var files = compiler.getStandardFileManager(null, null, null);
        List<File> sources = Arrays.stream(words).skip(2).map(File::new).toList();
        var options = List.of("-d", words[0], "-cp", words[1]);
        compiler.getTask(null, files, told, options, null, files.getJavaFileObjectsFromFiles(sources)).call();
        for (var one : told.getDiagnostics()) {
            if (one.getKind() == javax.tools.Diagnostic.Kind.ERROR) {
                System.out.println(one.getSource().getName() + "\t" + one.getLineNumber() + "\t" + one.getColumnNumber());
            }
        }
    }
}
