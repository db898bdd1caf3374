package dev.holdfast.operator;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toMap;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A table of packages, each with the first sentence of its package page ({@code package-info.java}). */
final class PackagePages {
    private static final Pattern COMMENT = Pattern.compile("/\\*\\*(.*?)\\*/", Pattern.DOTALL);
    private static final Pattern SENTENCE = Pattern.compile("(.*?\\.)(?: |$)");
    private static final Pattern CODE = Pattern.compile("\\{@code ([^}]*)}");
    private static final Pattern LINK = Pattern.compile("\\{@link [\\w.]*?(\\w+)}");

    private PackagePages() {}

    /**
     * {@return one row of Markdown for each package of these sources}
     *
     * @param order packages without {@code dev.holdfast} in the order in which they are read; others follow by name
     * @throws IllegalStateException if a package has no page
     */
    static String table(Collection<JavaSource> sources, List<String> order) {
        Map<String, JavaSource> pages = sources.stream()
                .filter(source -> source.name().equals("package-info"))
                .collect(toMap(PackagePages::shortName, it -> it));
        Map<Integer, Map<String, String>> rows = new TreeMap<>();
        for (JavaSource source : sources) {
            String name = shortName(source);
            int place = order.contains(name) ? order.indexOf(name) : order.size();
            rows.computeIfAbsent(place, _ -> new TreeMap<>())
                    .computeIfAbsent(
                            name,
                            _ -> "| [`%s`](%s) | %s |\n"
                                    .formatted(
                                            name,
                                            source.path().getParent(),
                                            firstSentence(Optional.ofNullable(pages.get(name)), name)));
        }
        return rows.values().stream().flatMap(group -> group.values().stream()).collect(joining());
    }

    private static String shortName(JavaSource source) {
        return source.packageName().replaceFirst("^dev\\.holdfast\\.", "");
    }

    private static String firstSentence(Optional<JavaSource> page, String name) {
        Matcher comment = COMMENT.matcher(page.map(JavaSource::text).orElse(""));
        if (!comment.find()) {
            throw new IllegalStateException("package " + name + " has no page: its package-info.java needs a comment");
        }
        String text = comment.group(1).replaceAll("\\s*\\n\\s*\\*?\\s*", " ").strip();
        Matcher sentence = SENTENCE.matcher(text);
        if (!sentence.find()) {
            throw new IllegalStateException("the page of package " + name + " has no sentence");
        }
        String code = CODE.matcher(sentence.group(1)).replaceAll("`$1`");
        return LINK.matcher(code).replaceAll("`$1`").replace("|", "\\|");
    }
}
