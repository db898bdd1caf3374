package dev.holdfast.operator.offline.report.page;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A Chromium without a window, which opens a page, runs its scripts and ends. No driver is needed: a script in the page
 * writes what it found into the page.
 */
record Browser(Path program) {
    /** How to get one. */
    static final String INSTALL = "no Chromium on the PATH; Debian: apt-get install chromium";

    private static final List<String> NAMES =
            List.of("chromium", "chromium-browser", "google-chrome", "google-chrome-stable");

    /** How long the clock of the page runs; it runs as fast as the page has nothing to do. */
    private static final String BUDGET = "--virtual-time-budget=60000";

    /** The width of the narrowest window that a Chromium has. A narrower one is a frame in it. */
    private static final int NARROWEST = 500;

    private static final String PAGE = "page.html";

    /** Begins the line of the console that has the milliseconds to the first text on the screen. */
    static final String FIRST_SIGHT = "first sight after ";

    private static final Pattern SIGHT = Pattern.compile(FIRST_SIGHT + "(\\d+) ms");

    /**
     * What became of a page.
     *
     * @param dom the page after its scripts have run
     * @param console what it wrote to the console, errors and violations of its security policy included
     */
    record Opened(String dom, List<String> console) {}

    /** {@return the browser on a path as in the environment variable PATH} */
    static Optional<Browser> on(String path) {
        return Arrays.stream(path.split(":"))
                .flatMap(folder -> NAMES.stream().map(name -> Path.of(folder, name)))
                .filter(Files::isExecutable)
                .findFirst()
                .map(Browser::new);
    }

    /**
     * {@return what becomes of a page in a window}
     *
     * @param folder an empty folder for the page and the data of the browser
     */
    Opened open(String page, Path folder, Window window) throws IOException, InterruptedException {
        Path dom = folder.resolve("dom.html");
        Path log = window.width() < NARROWEST
                ? inFrame(page, folder, dom, window)
                : run(page, folder, dom, PAGE, window.flag(), "--dump-dom");
        return new Opened(
                Files.readString(dom),
                Files.readAllLines(log).stream()
                        .filter(line -> line.contains(":CONSOLE"))
                        .toList());
    }

    private Path inFrame(String page, Path folder, Path dom, Window window) throws IOException, InterruptedException {
        Files.writeString(folder.resolve("frame.html"), """
            <!doctype html>
            <iframe src=%s width=%s height=%s></iframe>
            <script>
              const wait = setInterval(() => {
                const found = document.querySelector('iframe').contentDocument.getElementById('found');
                if (found) {
                  clearInterval(wait);
                  document.body.append(document.importNode(found, true));
                }
              }, 50);
            </script>
            """.formatted(PAGE, window.width(), window.height()));
        return run(page, folder, dom, "frame.html", "--allow-file-access-from-files", "--dump-dom");
    }

    /** {@return the PDF that the browser would print} */
    byte[] print(String page, Path folder) throws IOException, InterruptedException {
        Path pdf = folder.resolve("page.pdf");
        run(page, folder, folder.resolve("out"), PAGE, "--no-pdf-header-footer", "--print-to-pdf=" + pdf);
        return Files.readAllBytes(pdf);
    }

    /** Writes what the browser shows of a page as a PNG. */
    void draw(String page, Path folder, Window window, Path png) throws IOException, InterruptedException {
        run(page, folder, folder.resolve("out"), PAGE, window.flag(), "--hide-scrollbars", "--screenshot=" + png);
    }

    /**
     * {@return how long a page takes by the clock of this machine, from its request until the browser shows text}
     *
     * @param page has a script that writes {@link #FIRST_SIGHT} and the milliseconds to the console
     */
    Duration firstSight(String page, Path folder) throws IOException {
        Process process = new ProcessBuilder(command(page, folder, PAGE, Window.WIDE.flag()))
                .redirectErrorStream(true)
                .start();
        try (Stream<String> log = process.inputReader().lines()) {
            return log.map(SIGHT::matcher)
                    .filter(Matcher::find)
                    .findFirst()
                    .map(found -> Duration.ofMillis(Long.parseLong(found.group(1))))
                    .orElseThrow(() -> new IOException(program + " ended before it showed the page"));
        } finally {
            end(process);
        }
    }

    private Path run(String page, Path folder, Path out, String opened, String... flags)
            throws IOException, InterruptedException {
        Path log = folder.resolve("log");
        List<String> command = command(page, folder, opened, flags);
        command.add(1, BUDGET);
        Process process = new ProcessBuilder(command)
                .redirectOutput(out.toFile())
                .redirectError(log.toFile())
                .start();
        try {
            int code = process.waitFor();
            if (code != 0) {
                throw new IOException(program + " ended with " + code + ": " + Files.readString(log));
            }
        } finally {
            end(process);
        }
        return log;
    }

    private static void end(Process process) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }

    private List<String> command(String page, Path folder, String opened, String... flags) throws IOException {
        Files.writeString(folder.resolve(PAGE), page, UTF_8);
        List<String> command = new ArrayList<>(List.of(
                program.toString(),
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--no-first-run",
                "--disable-background-networking",
                // Whatever the page asked the network for would fail, and be in the log.
                "--host-resolver-rules=MAP * ~NOTFOUND",
                "--enable-logging=stderr",
                "--user-data-dir=" + folder.resolve("profile")));
        Stream.of(flags).forEach(command::add);
        command.add(folder.resolve(opened).toUri().toString());
        return command;
    }

    /** A window. */
    record Window(int width, int height) {
        static final Window WIDE = new Window(1400, 900);
        static final Window NARROW = new Window(500, 900);

        String flag() {
            return "--window-size=" + width + "," + height;
        }
    }
}
