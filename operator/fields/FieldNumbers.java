import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Generates the constants of the protobuf field numbers from the table {@code fields.txt}, as the class {@code Fields}
 * with a class for each message.
 *
 * <p>Example: the line {@code VolumeMount name:1:string readOnly:2:bool} becomes the class {@code Fields.VolumeMount}
 * with the constants {@code NAME = 1} and {@code READ_ONLY = 2}. A message that JSON writes in place has the name
 * {@code *} there; its constant has the name of its type.
 *
 * <p>The operator's pom runs this in the JDK that compiles. Arguments: the table, and the folder of the generated
 * sources. Writes nothing if nothing has changed, so that nothing is compiled again.
 */
final class FieldNumbers {
    private static final String PACKAGE = "dev.holdfast.operator.decode.fields";

    /** In the table, the name of a field whose message JSON writes in place. */
    private static final String IN_PLACE = "*";

    private FieldNumbers() {}

    static void main(String... args) throws IOException {
        String source = source(Files.readAllLines(Path.of(args[0])));
        Path file = Path.of(args[1]).resolve(PACKAGE.replace('.', '/')).resolve("Fields.java");
        if (!Files.exists(file) || !Files.readString(file).equals(source)) {
            Files.createDirectories(file.getParent());
            Files.writeString(file, source);
        }
    }

    private static String source(List<String> table) {
        StringBuilder source = new StringBuilder("""
            package %s;

            /** Protobuf field numbers of the messages of the Kubernetes API, generated from {@code fields.txt}. */
            public final class Fields {
                private Fields() {}
            """.formatted(PACKAGE));
        table.forEach(line -> source.append('\n').append(message(line)));
        return source.append("}\n").toString();
    }

    private static String message(String line) {
        String[] words = line.split(" ");
        StringBuilder message = new StringBuilder("""
                /** Field numbers of {@code %1$s}. */
                public static final class %1$s {
            """.formatted(words[0]));
        Set<String> names = new HashSet<>();
        for (String field : Arrays.asList(words).subList(1, words.length)) {
            String[] parts = field.split(":");
            String name = constant(parts[0].equals(IN_PLACE) ? parts[2] : parts[0]);
            if (!names.add(name)) {
                throw new IllegalStateException(words[0] + " has two fields " + name);
            }
            message.append("        public static final int %s = %d;\n".formatted(name, Integer.parseInt(parts[1])));
        }
        return message.append("\n        private %s() {}\n    }\n".formatted(words[0]))
                .toString();
    }

    /** {@return the name of a constant: {@code NODE_NAME} for {@code nodeName}, {@code POD_IPS} for {@code podIPs}} */
    private static String constant(String name) {
        return name.replaceAll("(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z]{2})", "_")
                .toUpperCase(Locale.ROOT);
    }
}
