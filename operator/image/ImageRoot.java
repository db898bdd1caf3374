import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Builds the root file system of the image, which has no base image: a Java runtime with the required modules, the
 * shared libraries of the build machine that the runtime needs, and one user.
 *
 * <p>The operator's pom runs this in the JDK that compiles. Arguments: the target folder, and the modules separated by
 * commas. Does nothing if the folder was built by the same JDK for the same modules.
 */
final class ImageRoot {
    /** A line of ldd: {@code NAME => PATH (0x1)}, {@code NAME => not found}, or the loader as {@code PATH (0x1)}. */
    private static final Pattern LIBRARY =
            Pattern.compile("(?:(?<name>\\S+) => )?(?:(?<path>/\\S+) \\(0x[0-9a-f]+\\)|not found)");

    private static final String USER = "holdfast:x:65532:65532:holdfast:/:/sbin/nologin\n";
    private static final String GROUP = "holdfast:x:65532:\n";

    private final Path root;
    private final Path java;

    private ImageRoot(Path root) {
        this.root = root;
        this.java = root.resolve("opt/java");
    }

    static void main(String... args) throws IOException {
        Path root = Path.of(args[0]);
        Path made = root.resolveSibling(root.getFileName() + ".made");
        String recipe = Runtime.version() + " " + args[1] + "\n";
        if (Files.exists(made) && Files.readString(made).equals(recipe)) {
            return;
        }
        Files.deleteIfExists(made);
        new ImageRoot(root).make(args[1]);
        Files.writeString(made, recipe);
    }

    private void make(String modules) throws IOException {
        delete();
        Files.createDirectories(root.resolve("etc"));
        Files.writeString(root.resolve("etc/passwd"), USER);
        Files.writeString(root.resolve("etc/group"), GROUP);
        Files.writeString(root.resolve("etc/nsswitch.conf"), "hosts: files dns\n");
        link(modules);
        for (Path library : libraries()) {
            Path copy = root.resolve(library.toString().substring(1));
            Files.createDirectories(copy.getParent());
            Files.copy(library.toRealPath(), copy);
        }
    }

    private void link(String modules) {
        ToolProvider jlink = ToolProvider.findFirst("jlink")
                .orElseThrow(() -> new IllegalStateException("this JDK has no jlink: install a full JDK 25"));
        int code = jlink.run(
                System.out,
                System.err,
                "--add-modules=" + modules,
                "--strip-debug",
                "--no-header-files",
                "--no-man-pages",
                "--compress=zip-6",
                "--output=" + java);
        if (code != 0) {
            throw new IllegalStateException("jlink ended with " + code);
        }
    }

    /** {@return the paths of the shared libraries outside the runtime that it needs, and of the dynamic loader} */
    private Set<Path> libraries() throws IOException {
        List<Path> own;
        try (Stream<Path> files = Files.walk(java.resolve("lib"))) {
            own = files.filter(file -> file.toString().endsWith(".so")).toList();
        }
        Set<String> ownNames =
                own.stream().map(file -> file.getFileName().toString()).collect(Collectors.toSet());
        List<String> command =
                new ArrayList<>(List.of("ldd", java.resolve("bin/java").toString()));
        own.forEach(file -> command.add(file.toString()));
        Set<Path> libraries = new TreeSet<>();
        for (String line : output(command)) {
            Matcher library = LIBRARY.matcher(line.strip());
            if (!library.matches() || ownNames.contains(library.group("name"))) {
                continue;
            }
            if (library.group("path") == null) {
                throw new IllegalStateException(
                        "a shared library of the Java runtime is missing on this machine: " + line.strip());
            }
            libraries.add(Path.of(library.group("path")));
        }
        return libraries;
    }

    private static List<String> output(List<String> command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        return process.inputReader().readAllLines();
    }

    private void delete() throws IOException {
        if (!Files.exists(root)) {
            return;
        }
        try (Stream<Path> files = Files.walk(root)) {
            files.sorted(Comparator.reverseOrder()).forEach(ImageRoot::delete);
        }
    }

    private static void delete(Path file) {
        try {
            Files.delete(file);
        } catch (IOException e) {
            throw new UncheckedIOException("delete " + file, e);
        }
    }
}
