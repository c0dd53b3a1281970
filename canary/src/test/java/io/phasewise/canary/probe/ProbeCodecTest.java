/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.probe;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.OutputStream;
import java.util.Arrays;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.utils.internals.ByteBufferOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProbeCodecTest {
    private final ProbeCodec codec = new ProbeCodec(42, ProbeContent.plain(100));

    @Property
    void whatIsWrittenIsReadBack(
            @ForAll long instance,
            @ForAll @IntRange(max = 10_000) int partition,
            @ForAll @LongRange(min = 0) long sequence,
            @ForAll long due) {
        ProbeCodec any = new ProbeCodec(instance, ProbeContent.plain(64));
        byte[] value = any.encode(partition, sequence, due).clone();

        assertThat(any.recognise(value, partition)).isEqualTo(ProbeCodec.Kind.OWN);
        assertThat(ProbeCodec.sequence(value)).isEqualTo(sequence);
    }

    @Test
    void theValueHasTheSizeAskedFor() {
        assertThat(codec.encode(0, 0, 0)).hasSize(100);
    }

    @Test
    void aFormerLifesOrAnotherProfilesProbeIsAnotherCanarys() {
        ProbeCodec other = new ProbeCodec(41, ProbeContent.plain(100));
        assertKind(ProbeCodec.Kind.OTHER_CANARY, other.encode(1, 2, 3), 1);
        assertKind(ProbeCodec.Kind.OTHER_CANARY, other.encode(1, ProbeCodec.NO_PROBE, 3), 1);
    }

    @Test
    void recordsThatAreNoProbesAreForeign() {
        byte[] cut = Arrays.copyOf(codec.encode(0, 0, 0), ProbeCodec.HEADER_SIZE - 1);
        for (byte[] value : new byte[][] {null, new byte[0], new byte[200], cut}) {
            assertKind(ProbeCodec.Kind.FOREIGN, value, 0);
        }
    }

    @Test
    void aProbeCopiedToAnotherPartitionIsForeign() {
        assertKind(ProbeCodec.Kind.FOREIGN, codec.encode(1, 0, 0), 2);
    }

    @Test
    void aRecordThatTeachesIsNoProbe() {
        assertKind(ProbeCodec.Kind.CALIBRATION, codec.encode(3, ProbeCodec.NO_PROBE, 5), 3);
    }

    private void assertKind(ProbeCodec.Kind kind, byte[] value, int partition) {
        assertThat(codec.recognise(value, partition)).isEqualTo(kind);
    }

    @ParameterizedTest
    @CsvSource({
        "gzip,0",
        "lz4,0.9",
        "lz4,0.5",
        "lz4,0.1",
        "zstd,0.9",
        "zstd,0.5",
        "gzip,0.5",
        "snappy,0.5",
    })
    void aCodecLeavesTheShareThatWasAskedFor(String codecName, double compressibility) throws Exception {
        ProbeCodec written = new ProbeCodec(7, new ProbeContent(2_000, compressibility, 0, 1, true));
        int records = 16; // some of a batch; none may be found again in another
        ByteBufferOutputStream into = new ByteBufferOutputStream(100_000);
        try (OutputStream out =
                Compression.of(codecName).build().wrapForOutput(into, RecordBatch.CURRENT_MAGIC_VALUE)) {
            for (int i = 0; i < records; i++) {
                out.write(written.encode(0, i, i));
            }
        }

        double left = into.position() / (records * 2_000.0);
        assertThat(left).isCloseTo(1 - compressibility, within(0.03));
    }

    @Test
    void keysAreDecimalNumbersUsedInTurn() {
        ProbeCodec keyed = new ProbeCodec(7, new ProbeContent(64, 0, 11, 4, false));

        assertThat(new String(keyed.key(0), US_ASCII)).isEqualTo("0000");
        assertThat(new String(keyed.key(10), US_ASCII)).isEqualTo("0010");
        assertThat(new String(keyed.key(11), US_ASCII)).isEqualTo("0000");
        assertThat(codec.key(5)).as("none asked for").isNull();
    }
}
