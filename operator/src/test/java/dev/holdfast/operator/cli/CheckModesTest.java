package dev.holdfast.operator.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What the modes, exceptions and deadlines of policies mean for {@code holdfast check} and its exit code. */
class CheckModesTest {
    private static final String NOW = "2026-11-20T12:00:00Z";

    private static final String SHOP = """
        {apiVersion: v1, kind: Namespace, metadata: {name: shop}}
        ---
        {apiVersion: v1, kind: Node, metadata: {name: n1, labels: {disk: hdd}}}
        ---
        {apiVersion: v1, kind: Pod, metadata: {namespace: shop, name: web-1, uid: u1, labels: {app: web},
         creationTimestamp: "%s"}, spec: {nodeName: n1, nodeSelector: {disk: ssd}}}
        ---
        """.formatted(NOW);

    private static final String FOREVER = "{name: primary, podSelector: {matchLabels: {app: web}}, reason: failover}";

    @TempDir
    private Path folder;

    private static String policy(String name, String spec, String status) {
        return """
            apiVersion: holdfast.dev/v1alpha1
            kind: PlacementPolicy
            metadata: {namespace: shop, name: %s}
            spec: {podSelector: {}, %s}
            status: {violations: [%s]}
            ---
            """.formatted(name, spec, status);
    }

    private static String observed(String pod, String node, String deadline) {
        return "{pod: %s, node: %s, rule: NodeAffinity, state: Forgiving, sinceTime: \"2026-11-20T11:00:00Z\","
                        .formatted(pod, node)
                + " deadlineTime: \"" + deadline + "\"}";
    }

    static Stream<Arguments> states() {
        String enforced = "mode: Enforce, forgivenessSeconds: 600";
        return Stream.of(
                argumentSet("no policy", "", ""),
                argumentSet("a policy in Audit", policy("keep", "mode: Audit, forgivenessSeconds: 0", ""), "Audited"),
                argumentSet("Enforce, and nothing says since when", policy("keep", enforced, ""), "Enforced"),
                argumentSet(
                        "Enforce without forgiveness",
                        policy("keep", "mode: Enforce, forgivenessSeconds: 0", ""),
                        "Due"),
                argumentSet("the deadline is now", policy("keep", enforced, observed("web-1", "n1", NOW)), "Due"),
                argumentSet(
                        "the deadline is a second away",
                        policy("keep", enforced, observed("web-1", "n1", "2026-11-20T12:00:01Z")),
                        "Enforced"),
                argumentSet(
                        "the deadline of another pod",
                        policy("keep", enforced, observed("web-2", "n1", NOW)),
                        "Enforced"),
                argumentSet(
                        "the deadline of a pod of this name on another node",
                        policy("keep", enforced, observed("web-1", "n2", NOW)),
                        "Enforced"),
                argumentSet(
                        "a status that says that forgiveness goes on, after an edit to 0 seconds",
                        policy(
                                "keep",
                                "mode: Enforce, forgivenessSeconds: 0",
                                observed("web-1", "n1", "2026-11-20T12:00:01Z")),
                        "Enforced"),
                argumentSet(
                        "an exception",
                        policy("keep", "mode: Enforce, forgivenessSeconds: 0, exceptions: [" + FOREVER + "]", ""),
                        "Excepted"),
                argumentSet(
                        "an exception that ends now",
                        policy(
                                "keep",
                                "mode: Enforce, forgivenessSeconds: 0, exceptions: ["
                                        + FOREVER.replace("}}", "}}, expirationTime: \"" + NOW + "\"") + "]",
                                ""),
                        "Due"),
                argumentSet(
                        "an exception for other pods",
                        policy(
                                "keep",
                                "mode: Enforce, forgivenessSeconds: 0, exceptions: ["
                                        + FOREVER.replace("app: web", "app: db") + "]",
                                ""),
                        "Due"),
                argumentSet(
                        "an exception of one policy, and another that enforces the rule",
                        policy("keep", "mode: Enforce, forgivenessSeconds: 0, exceptions: [" + FOREVER + "]", "")
                                + policy("other", enforced, ""),
                        "Enforced"),
                argumentSet(
                        "an exception of the policy that enforces, and another that audits",
                        policy("keep", "mode: Enforce, forgivenessSeconds: 0, exceptions: [" + FOREVER + "]", "")
                                + policy("other", "mode: Audit", ""),
                        "Excepted"));
    }

    private CommandRun check(String dump, String options) throws IOException {
        Path file = Files.writeString(folder.resolve("cluster.yaml"), dump);
        CommandRun run = CommandRun.in(folder);
        int code = run.execute(("check -f " + file + " " + options).strip().split(" "));
        assertThat(code).as(run.err().toString()).isLessThan(ExitCode.USAGE);
        return run;
    }

    @ParameterizedTest
    @MethodSource("states")
    void aDocumentSaysWhatPoliciesAskForAboutAViolation(String policies, String state) throws IOException {
        String printed = check(SHOP + policies, "-o json").out().toString();

        assertThat(new ObjectMapper()
                        .readTree(printed)
                        .at("/violations/0/state")
                        .asText())
                .isEqualTo(state);
    }

    static Stream<Arguments> thresholds() {
        return Stream.of(
                argumentSet("any", "any", 1, 1, 1, 1),
                argumentSet("violated means the same", "violated", 1, 1, 1, 1),
                argumentSet("enforced", "enforced", 0, 0, 1, 1),
                argumentSet("due", "due", 0, 0, 0, 1),
                argumentSet("never", "never", 0, 0, 0, 0));
    }

    @ParameterizedTest
    @MethodSource("thresholds")
    void theExitCodeFollowsTheMode(String failOn, int unasked, int audited, int enforced, int due) throws IOException {
        assertThat(Stream.of(
                                "",
                                policy("keep", "mode: Audit", ""),
                                policy("keep", "mode: Enforce, forgivenessSeconds: 600", ""),
                                policy("keep", "mode: Enforce, forgivenessSeconds: 0", ""))
                        .map(policy -> exitCode(policy, failOn)))
                .containsExactly(unasked, audited, enforced, due);
    }

    private int exitCode(String policies, String failOn) {
        Path file = folder.resolve("cluster.yaml");
        try {
            Files.writeString(file, SHOP + policies);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return CommandRun.in(folder).execute("check", "-f", file.toString(), "--fail-on", failOn);
    }

    @Test
    void anOperatorThatMayOnlyAuditEnforcesNothing() throws IOException {
        Path config = Files.writeString(folder.resolve("config.yaml"), "maxMode: Audit\n");

        String warned = check(
                        SHOP + policy("keep", "mode: Enforce, forgivenessSeconds: 0", ""),
                        "--fail-on enforced --config " + config)
                .err()
                .toString();

        assertThat(warned)
                .startsWith(
                        "holdfast: warning: 1 violation left out of the exit code by --fail-on enforced: 1 audited\n");
    }

    @Test
    void exceptionsAreCountedAndNamed() throws IOException {
        CommandRun run = check(
                SHOP
                        + SHOP.substring(SHOP.indexOf("{apiVersion: v1, kind: Pod"))
                                .replace("web-1", "db-1")
                                .replace("u1", "u2")
                                .replace("app: web", "app: db")
                        + policy("keep", "mode: Enforce, exceptions: [" + FOREVER + "]", ""),
                "--fail-on due");

        assertThat(run.out()).hasToString("""
            NAMESPACE   POD     NODE   RULE           BREACH
            shop        db-1    n1     NodeAffinity   n1 does not match disk=ssd: it has disk=hdd
            shop        web-1   n1     NodeAffinity   n1 does not match disk=ssd: it has disk=hdd

            EXCEPTION   POLICY      PODS   UNTIL    REASON
            primary     shop/keep   1      <none>   failover
            """);
        assertThat(run.err().toString())
                .startsWith("holdfast: warning: 2 violations left out of the exit code by --fail-on due: 1 with an"
                        + " exception, 1 enforced and not known to be due\n"
                        + "holdfast: 2 violations, 1 of enforced rules, 1 of pods with an exception; 2 pods on 1 node");
    }
}
