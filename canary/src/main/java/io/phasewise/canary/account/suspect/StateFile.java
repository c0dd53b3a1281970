/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.account.suspect;

import io.phasewise.common.file.ImpatientRead;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps what was learned of network and canary from one process to the next, in one file. A file that cannot be used costs
 * twenty minutes of learning and nothing else: it is logged once, counted each time, and written anew.
 *
 * <p>Used by one thread, which waits for nobody else; the disk may hang as long as it likes.
 */
public final class StateFile {
    /** How long a read at the start is waited for. */
    static final Duration PATIENCE = Duration.ofSeconds(5);

    private static final Logger LOG = LoggerFactory.getLogger(StateFile.class);
    private static final String NOT_READ =
            "No network is named until the canary has learned for %d minutes".formatted(Suspects.MINUTES_TO_LEARN);
    private static final String NOT_WRITTEN = "What the canary learns is lost when it ends";

    private final Path file;
    private final Map<StateForm.Owner, Suspects> kept = new TreeMap<>();
    private final InstantSource wallClock;
    private final Opener opener;
    private final Consumer<Throwable> faults;
    private final Consumer<String> log;
    private final ImpatientRead<Map<StateForm.Owner, List<Learned.Minute>>> reads;
    private boolean failing;
    private boolean hasRead;

    /** Whether the file may be good, and was not there in time. */
    private boolean late;

    /** Opens a file to be read. */
    interface Opener {
        InputStream open(Path file) throws IOException;
    }

    /**
     * @param file need not be there; its directory must
     * @param wallClock the time of day
     * @param faults counts what goes wrong; must not throw
     */
    public StateFile(Path file, InstantSource wallClock, Consumer<Throwable> faults) {
        this(file, wallClock, faults, LOG::warn, StateFile::open, PATIENCE);
    }

    StateFile(
            Path file,
            InstantSource wallClock,
            Consumer<Throwable> faults,
            Consumer<String> log,
            Opener opener,
            Duration patience) {
        this.file = file;
        this.wallClock = wallClock;
        this.faults = faults;
        this.log = log;
        this.opener = opener;
        this.reads = new ImpatientRead<>("state-file-read", patience);
    }

    /** Keeps what a profile learns; to be called before {@link #read}. */
    public StateFile keep(String cluster, String profile, Suspects suspects) {
        kept.put(new StateForm.Owner(cluster, profile), suspects);
        return this;
    }

    /**
     * Reads the file, once, and hands its minutes to the profiles that they belong to.
     *
     * @throws InterruptedException when interrupted meanwhile; the file is not written then either
     */
    public void read() throws InterruptedException {
        Instant now = wallClock.instant();
        try {
            Optional<Map<StateForm.Owner, List<Learned.Minute>>> found = reads.read(() -> read(now));
            if (found.isEmpty()) {
                late = true;
                failed("read", new IOException("its disk has not answered in time"), NOT_READ);
            }
            found.orElse(Map.of()).forEach((owner, minutes) -> {
                Suspects suspects = kept.get(owner);
                if (suspects != null) {
                    suspects.restore(minutes, now);
                }
            });
        } catch (ExecutionException e) {
            failed("used", e.getCause(), NOT_READ);
        }
        hasRead = true;
    }

    /** Whether the file was read, or could not be. */
    public boolean hasRead() {
        return hasRead;
    }

    private Map<StateForm.Owner, List<Learned.Minute>> read(Instant now) throws IOException {
        try (InputStream in = new BufferedInputStream(opener.open(file))) {
            return StateForm.read(in, now);
        } catch (NoSuchFileException e) {
            return Map.of(); // the first start
        }
    }

    private static InputStream open(Path file) throws IOException {
        if (Files.exists(file) && !Files.isRegularFile(file)) {
            throw new IOException("is not a regular file");
        }
        return Files.newInputStream(file);
    }

    /**
     * Writes the file: whole, beside the one that is there, which it then replaces. A power cut leaves the one or the
     * other. Writes nothing before {@link #read}, and nothing while nothing is known: that would forget what is there.
     * So would a file whose disk was slow: it is left alone until every profile has learned anew.
     */
    public void write() {
        Map<StateForm.Owner, List<Learned.Minute>> all = new TreeMap<>();
        kept.forEach((owner, suspects) -> all.put(owner, suspects.minutes()));
        if (!hasRead || all.values().stream().allMatch(List::isEmpty)) {
            return;
        }
        if (late && kept.values().stream().anyMatch(each -> each.learnedMinutes() < Suspects.MINUTES_TO_LEARN)) {
            return; // what is in the file is worth more
        }
        Path beside = file.resolveSibling(file.getFileName() + ".new");
        try {
            try (FileChannel channel = FileChannel.open(
                            beside,
                            StandardOpenOption.CREATE,
                            StandardOpenOption.WRITE,
                            StandardOpenOption.TRUNCATE_EXISTING);
                    OutputStream out = new BufferedOutputStream(Channels.newOutputStream(channel))) {
                StateForm.write(all, line -> {
                    out.write(line);
                    out.write('\n');
                });
                out.flush();
                channel.force(true);
            }
            replace(beside);
            if (failing) {
                failing = false;
                log.accept("state-file: " + file + " is written again");
            }
        } catch (IOException e) {
            failed("written", e, NOT_WRITTEN);
        }
    }

    private void replace(Path beside) throws IOException {
        try {
            Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (AtomicMoveNotSupportedException e) {
            Files.deleteIfExists(beside);
            throw e;
        }
    }

    private void failed(String what, Throwable why, String cost) {
        faults.accept(why);
        if (!failing) {
            failing = true;
            String reason = why.getClass() == IOException.class ? why.getMessage() : why.toString();
            log.accept("state-file: %s cannot be %s: %s. %s".formatted(file, what, reason, cost));
        }
    }
}
