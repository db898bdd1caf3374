package dev.holdfast.it.controlplane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A claimed folder is deleted after the claiming process has ended, and never earlier. */
@Timeout(value = TimeLimits.TEST_MINUTES, unit = TimeUnit.MINUTES)
class FolderClaimTest {

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it.
    private Path parent;

    private Path folder(String name) throws IOException {
        Path folder = Files.createDirectory(parent.resolve(name));
        Files.writeString(Files.createDirectory(folder.resolve("logs")).resolve("etcd.log"), "...");
        return folder;
    }

    private void sweep() throws IOException {
        FolderClaim.sweep(parent, "work-");
    }

    @Test
    void aFolderStaysWhileItsProcessLivesAndGoesWithTheNextSweepOnceThatWasKilled() throws Exception {
        Path folder = folder("work-1");
        Process owner = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        ClaimHolder.class.getName(),
                        folder.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader says = owner.inputReader()) {
            assertThat(says.readLine()).isEqualTo("held");
            sweep();
            assertThat(folder.resolve("logs/etcd.log")).exists();
            assertThat(folder.resolve("owner")).hasContent(Long.toString(owner.pid()));
        } finally {
            owner.destroyForcibly().waitFor();
        }

        sweep();

        assertThat(folder).doesNotExist();
    }

    @Test
    void aFolderOfThisJvmStays() throws IOException {
        Path folder = folder("work-1");
        FolderClaim claim = FolderClaim.on(folder);

        sweep();
        assertThat(folder.resolve("logs/etcd.log")).exists();

        claim.close();
        sweep();
        assertThat(folder).doesNotExist();
    }

    /** {@return the files that were deleted from the folder itself, in deletion order} */
    private static List<String> deletedFrom(Path folder, Deletion deletion) throws Exception {
        List<WatchEvent<?>> deleted = new ArrayList<>();
        try (WatchService watch = folder.getFileSystem().newWatchService()) {
            WatchKey key = folder.register(watch, StandardWatchEventKinds.ENTRY_DELETE);
            deletion.run();
            do {
                deleted.addAll(watch.take().pollEvents());
            } while (key.reset());
            deleted.addAll(key.pollEvents());
        }
        return deleted.stream().map(event -> "" + event.context()).toList();
    }

    private interface Deletion {
        void run() throws IOException;
    }

    /** If the deletion is killed, the claim file is still there, so that the next sweep deletes the rest. */
    @Test
    void theClaimIsDeletedLast() throws Exception {
        Path abandoned = folder("work-1");
        Files.writeString(abandoned.resolve("owner"), "1\n");
        Files.createFile(abandoned.resolve("zoo"));
        assertThat(deletedFrom(abandoned, this::sweep)).containsExactly("zoo", "logs", "owner");

        WorkFolder mine = WorkFolder.temporary(parent);
        mine.prepare(List.of(TokenUser.admin()));
        assertThat(deletedFrom(mine.root(), mine::close))
                .hasSizeGreaterThan(5)
                .endsWith("owner")
                .containsOnlyOnce("owner");
    }

    @Test
    void aWorkFolderThatWasClosedBeforeItWasFilledStaysAway() throws IOException {
        WorkFolder folder = WorkFolder.temporary(parent);
        folder.close();

        assertThatThrownBy(() -> folder.prepare(List.of(TokenUser.admin()))).isInstanceOf(ControlPlaneException.class);
        assertThat(parent).isEmptyDirectory();
    }

    @Test
    void aFolderThatIsOnlyBeingClaimedStays() throws IOException {
        Path folder = folder("work-1");
        Files.createFile(folder.resolve("owner"));

        sweep();

        assertThat(folder.resolve("logs/etcd.log")).exists();
    }

    @Test
    void foldersWithoutAClaimOrOfAnotherNameStay() throws IOException {
        Path unclaimed = folder("work-1");
        Path other = folder("play-1");
        Files.writeString(other.resolve("owner"), "1\n");

        sweep();

        assertThat(unclaimed).exists();
        assertThat(other).exists();
    }

    @Test
    void aTemporaryWorkFolderSweepsAndIsClaimed() throws IOException {
        Path abandoned = folder("holdfast-controlplane-1");
        Files.writeString(abandoned.resolve("owner"), "1\n");

        WorkFolder mine = WorkFolder.temporary(parent);
        WorkFolder other = WorkFolder.temporary(parent);

        assertThat(abandoned).doesNotExist();
        assertThat(mine.root()).exists();
        mine.close();
        assertThat(mine.root()).doesNotExist();
        assertThat(other.root()).exists();
        other.close();
    }
}
