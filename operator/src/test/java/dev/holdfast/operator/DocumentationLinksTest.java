package dev.holdfast.operator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every link in the documentation leads to an existing file and anchor. */
class DocumentationLinksTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern LINK = Pattern.compile("\\[[^\\]]*]\\(([^)\\s]+)\\)");
    private static final Pattern ID = Pattern.compile("<a id=\"([^\"]+)\"></a>");
    private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} (.+)$");
    private static final Pattern FENCE = Pattern.compile("(?ms)^ *```.*?^ *```$");

    /** A page of the documentation that code, scripts or templates name. */
    private static final Pattern NAMED = Pattern.compile("docs/[a-z0-9/-]+\\.md(?:#[a-z0-9-]+)?");

    /** Folders without sources of the project. */
    private static final Set<String> SKIPPED = Set.of("target", ".git", "node_modules");

    @Test
    void everyLinkLeadsSomewhere() {
        List<String> broken = new ArrayList<>();
        for (Path page : pages()) {
            for (String link : links(page)) {
                if (!leads(page.resolveSibling(path(link)), link)) {
                    broken.add(ROOT.relativize(page) + " -> " + link);
                }
            }
        }

        assertThat(broken).isEmpty();
    }

    @Test
    void everyPageIsReachedFromTheReadme() {
        Set<Path> reached = new HashSet<>();
        List<Path> next = new ArrayList<>(List.of(ROOT.resolve("README.md")));
        while (!next.isEmpty()) {
            Path page = next.removeLast();
            if (reached.add(page)) {
                links(page).stream()
                        .map(link -> page.resolveSibling(path(link)).normalize())
                        .flatMap(DocumentationLinksTest::pagesOf)
                        .forEach(next::add);
            }
        }

        assertThat(reached).containsAll(pages());
    }

    @Test
    void noPageHasAnAnchorTwice() {
        for (Path page : pages()) {
            assertThat(ID.matcher(text(page)).results().map(id -> id.group(1)))
                    .as(page.toString())
                    .doesNotHaveDuplicates();
        }
    }

    @Test
    void everyPageThatTheSourcesNameExists() {
        Set<String> missing = new TreeSet<>();
        for (Path source : sources()) {
            NAMED.matcher(text(source)).results().forEach(named -> {
                if (!leads(ROOT.resolve(path(named.group())), named.group())) {
                    missing.add(ROOT.relativize(source) + " -> " + named.group());
                }
            });
        }

        assertThat(missing).isEmpty();
    }

    private static boolean leads(Path target, String link) {
        Path normal = target.normalize();
        if (!Files.exists(normal)) {
            return false;
        }
        int hash = link.indexOf('#');
        return hash < 0 || anchors(normal).contains(link.substring(hash + 1));
    }

    private static String path(String link) {
        int hash = link.indexOf('#');
        return hash < 0 ? link : link.substring(0, hash);
    }

    private static List<String> links(Path page) {
        String prose = FENCE.matcher(text(page)).replaceAll("");
        return LINK.matcher(prose)
                .results()
                .map(found -> found.group(1))
                .filter(link -> !link.startsWith("https://"))
                .map(link -> link.startsWith("#") ? page.getFileName() + link : link)
                .toList();
    }

    /** {@return the anchors of a page: explicit ones, and those that GitHub generates from headings} */
    private static Set<String> anchors(Path page) {
        if (!page.toString().endsWith(".md")) {
            return Set.of();
        }
        String prose = FENCE.matcher(text(page)).replaceAll("");
        Set<String> anchors = ID.matcher(prose).results().map(id -> id.group(1)).collect(Collectors.toSet());
        Map<String, Integer> seen = new HashMap<>();
        Matcher heading = HEADING.matcher(prose);
        while (heading.find()) {
            String slug = slug(heading.group(1));
            int times = seen.merge(slug, 1, Integer::sum);
            anchors.add(times == 1 ? slug : slug + "-" + (times - 1));
        }
        return anchors;
    }

    private static String slug(String heading) {
        return heading.toLowerCase(Locale.ROOT)
                .replaceAll("[^\\p{L}\\p{N} _-]", "")
                .replace(' ', '-');
    }

    /** {@return the page itself, or all pages of a folder} */
    private static Stream<Path> pagesOf(Path target) {
        if (Files.isDirectory(target)) {
            return pages().stream().filter(page -> page.startsWith(target));
        }
        return target.toString().endsWith(".md") && Files.exists(target) ? Stream.of(target) : Stream.of();
    }

    /** {@return all pages except those of the tests} */
    private static List<Path> pages() {
        return walk().filter(file -> file.toString().endsWith(".md"))
                .filter(file -> !file.toString().contains("/src/"))
                .toList();
    }

    private static List<Path> sources() {
        return walk().filter(file -> Stream.of(".java", ".xml", ".yaml", ".tpl", ".txt", "/mutate", "/bench", "/long")
                        .anyMatch(file.toString()::endsWith))
                .toList();
    }

    private static Stream<Path> walk() {
        List<Path> files = new ArrayList<>();
        collect(ROOT, files);
        return files.stream().sorted();
    }

    private static void collect(Path folder, List<Path> files) {
        try (Stream<Path> children = Files.list(folder)) {
            for (Path child : children.toList()) {
                if (Files.isDirectory(child)) {
                    if (!SKIPPED.contains(child.getFileName().toString())) {
                        collect(child, files);
                    }
                } else {
                    files.add(child);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
