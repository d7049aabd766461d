import io.trino.sql.parser.ParsingException;
import io.trino.sql.parser.SqlParser;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

// Records what Trino's parser says about each line of trino_errors.sql.txt ("\n" stands for a line break).
// Run with io.trino:trino-parser:476 and what it needs on the class path, on Java 24 or later:
//   java -cp 'lib/*' RecordTrinoErrors.java trino_errors.sql.txt > trino_errors.tsv
// A result line: the statement, a tab, and the message, or nothing if the statement parses.
public class RecordTrinoErrors {
    public static void main(String[] args) throws Exception {
        SqlParser parser = new SqlParser();
        for (String line : Files.readAllLines(Path.of(args[0]), StandardCharsets.UTF_8)) {
            String message = "";
            try {
                parser.createStatement(line.replace("\\n", "\n"));
            } catch (ParsingException e) {
                message = e.getMessage().replace("\n", "\\n");
            }
            System.out.println(line + "\t" + message);
        }
    }
}
