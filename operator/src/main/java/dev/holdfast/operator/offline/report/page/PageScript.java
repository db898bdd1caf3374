package dev.holdfast.operator.offline.report.page;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * The style and the scripts of the page. A content security policy names their hashes, so that the browser runs nothing
 * else and loads nothing.
 *
 * @param style the style sheet
 * @param scripts the scripts, in the order in which they run
 */
public record PageScript(String style, List<String> scripts) {
    public PageScript {
        scripts = List.copyOf(scripts);
    }

    /** {@return the style and the scripts of the product} */
    public static PageScript ofProduct() {
        return new PageScript(read("page.css"), List.of(read("page.js")));
    }

    /** {@return the same with one more script at the end} */
    PageScript and(String script) {
        List<String> more = new ArrayList<>(scripts);
        more.add(script);
        return new PageScript(style, more);
    }

    private static String read(String name) {
        try (InputStream resource = PageScript.class.getResourceAsStream(name)) {
            return new String(Objects.requireNonNull(resource, name).readAllBytes(), UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(name, e);
        }
    }

    /** {@return the content security policy that allows only this style and these scripts} */
    String securityPolicy() {
        return "default-src 'none'; style-src " + hash(style) + "; script-src "
                + scripts.stream().map(PageScript::hash).collect(Collectors.joining(" "))
                + "; base-uri 'none'; form-action 'none'";
    }

    private static String hash(String content) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(content.getBytes(UTF_8));
            return "'sha256-" + Base64.getEncoder().encodeToString(digest) + "'";
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
