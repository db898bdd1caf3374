package dev.holdfast.it.controlplane;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How an {@link AuditTrail} reads the lines of an audit log. */
class AuditTrailTest {

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it.
    private Path folder;

    private Path log() {
        return folder.resolve("audit.log");
    }

    private void add(String text) throws IOException {
        Files.writeString(log(), text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    private static String eviction(String name, String second, String options, int code) {
        return """
            {"verb":"create","user":{"username":"holdfast",\
            "extra":{"authentication.kubernetes.io/credential-id":["JTI=t1"]}},\
            "requestURI":"/api/v1/namespaces/shop/pods/%1$s/eviction",\
            "objectRef":{"resource":"pods","namespace":"shop","name":"%1$s","subresource":"eviction"},\
            "requestObject":{"metadata":{"annotations":{"holdfast.dev/rule":"ssd"}},"deleteOptions":%2$s},\
            "responseStatus":{"code":%3$s},"requestReceivedTimestamp":"2026-11-20T15:00:%4$s.000000Z"}
            """.formatted(name, options, code, second);
    }

    @Test
    void anEvictionIsReadWithWhatItsBodySays() throws IOException {
        add(eviction("web-1", "01", "{\"preconditions\":{\"uid\":\"u1\"}}", 201));

        AuditRecord record = new AuditTrail(log()).records().getFirst();

        assertThat(record.toString())
                .isEqualTo("AuditRecord[received=2026-11-20T15:00:01Z, user=holdfast, token=JTI=t1, verb=create,"
                        + " group=, resource=pods, subresource=eviction, namespace=shop, name=web-1, uid=u1,"
                        + " effect=REAL, code=201, annotations={holdfast.dev/rule=ssd}]");
    }

    @Test
    void onlyRealAndGrantedEvictionsOfTheNamespaceTookEffect() throws IOException {
        add(eviction("dry", "01", "{\"dryRun\":[\"All\"]}", 201));
        add(eviction("refused", "02", "{}", 429));
        add(eviction("gone", "03", "{}", 404));
        add(eviction("web-1", "04", "{\"dryRun\":[]}", 201));
        add(eviction("web-2", "05", "{}", 201));

        AuditTrail trail = new AuditTrail(log());

        assertThat(trail.evictions("shop")).extracting(AuditRecord::name).containsExactly("web-1", "web-2");
        assertThat(trail.evictions("other")).isEmpty();
    }

    @Test
    void recordsStandInTheOrderTheRequestsWereReceived() throws IOException {
        add(eviction("answered-first", "02", "{}", 201));
        add(eviction("received-first", "01", "{}", 201));

        assertThat(new AuditTrail(log()).records())
                .extracting(AuditRecord::name)
                .containsExactly("received-first", "answered-first");
    }

    @Test
    void aLineThatIsStillBeingWrittenIsReadWhenItIsWhole() throws IOException {
        String line = eviction("web-2", "02", "{}", 201);
        add(eviction("web-1", "01", "{}", 201) + line.substring(0, 50));
        AuditTrail trail = new AuditTrail(log());
        assertThat(trail.records()).extracting(AuditRecord::name).containsExactly("web-1");

        add(line.substring(50));

        assertThat(trail.records()).extracting(AuditRecord::name).containsExactly("web-1", "web-2");
    }

    @Test
    void aDeletionIsDryWhenItsAddressOrItsBodySaysSo() throws IOException {
        for (String request : List.of(
                "\"requestURI\":\"/api/v1/namespaces/shop/pods/web-1?dryRun=All\"",
                "\"requestURI\":\"/api/v1/namespaces/shop/pods/web-1\",\"requestObject\":{\"dryRun\":[\"All\"]}",
                "\"requestURI\":\"/api/v1/namespaces/shop/pods/web-1\"")) {
            add("""
                {"verb":"delete","user":{"username":"kwok"},%s,\
                "objectRef":{"resource":"pods","namespace":"shop","name":"web-1"},\
                "responseStatus":{"code":200},"requestReceivedTimestamp":"2026-11-20T15:00:01.000000Z"}
                """.formatted(request));
        }

        assertThat(new AuditTrail(log()).records())
                .filteredOn(AuditRecord::isPodDeletion)
                .extracting(AuditRecord::effect)
                .containsExactly(AuditRecord.Effect.DRY_RUN, AuditRecord.Effect.DRY_RUN, AuditRecord.Effect.REAL);
    }

    @Test
    void aRequestNamesTheGroupOfItsResource() throws IOException {
        add("""
            {"verb":"list","user":{"username":"holdfast"},"requestURI":"/apis/apps/v1/replicasets",\
            "objectRef":{"resource":"replicasets","apiGroup":"apps","apiVersion":"v1"},"responseStatus":{"code":200},\
            "requestReceivedTimestamp":"2026-11-20T15:00:01.000000Z"}
            """);

        assertThat(new AuditTrail(log()).records())
                .extracting(AuditRecord::group)
                .containsExactly("apps");
    }

    @Test
    void anImpersonatedUserIsTheOneWhoAsked() throws IOException {
        add("""
            {"verb":"list","user":{"username":"admin"},"impersonatedUser":{"username":"holdfast"},"requestURI":"/api",\
            "objectRef":{"resource":"pods"},"responseStatus":{"code":403},\
            "requestReceivedTimestamp":"2026-11-20T15:00:01.000000Z"}
            """);

        assertThat(new AuditTrail(log()).records())
                .extracting(AuditRecord::user)
                .containsExactly("holdfast");
    }
}
