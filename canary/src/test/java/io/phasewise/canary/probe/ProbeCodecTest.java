/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Arrays;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class ProbeCodecTest {
    private final ProbeCodec codec = new ProbeCodec(42, 0, 100);

    @Property
    void whatIsWrittenIsReadBack(
            @ForAll long instance,
            @ForAll @IntRange(max = 10_000) int partition,
            @ForAll @LongRange(min = 0) long sequence,
            @ForAll long due) {
        ProbeCodec any = new ProbeCodec(instance, 3, 64);
        byte[] value = any.encode(partition, sequence, due).clone();

        assertThat(any.recognise(value, partition)).isEqualTo(ProbeCodec.Kind.OWN);
        assertThat(ProbeCodec.sequence(value)).isEqualTo(sequence);
    }

    @Test
    void theValueHasTheSizeAskedFor() {
        assertThat(codec.encode(0, 0, 0)).hasSize(100);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ProbeCodec(42, 0, ProbeCodec.HEADER_SIZE - 1));
    }

    @Test
    void aFormerLifesProbeIsAnotherCanarys() {
        byte[] former = new ProbeCodec(41, 0, 100).encode(1, 2, 3);

        assertThat(codec.recognise(former, 1)).isEqualTo(ProbeCodec.Kind.OTHER_CANARY);
    }

    @Test
    void anotherProfilesProbeIsAnotherCanarys() {
        byte[] other = new ProbeCodec(42, 1, 100).encode(1, 2, 3);

        assertThat(codec.recognise(other, 1)).isEqualTo(ProbeCodec.Kind.OTHER_CANARY);
    }

    @Test
    void recordsThatAreNoProbesAreForeign() {
        assertThat(codec.recognise(null, 0)).isEqualTo(ProbeCodec.Kind.FOREIGN);
        assertThat(codec.recognise(new byte[0], 0)).isEqualTo(ProbeCodec.Kind.FOREIGN);
        assertThat(codec.recognise(new byte[200], 0)).isEqualTo(ProbeCodec.Kind.FOREIGN);
        byte[] cut = Arrays.copyOf(codec.encode(0, 0, 0), ProbeCodec.HEADER_SIZE - 1);
        assertThat(codec.recognise(cut, 0)).isEqualTo(ProbeCodec.Kind.FOREIGN);
    }

    @Test
    void aProbeCopiedToAnotherPartitionIsForeign() {
        assertThat(codec.recognise(codec.encode(1, 0, 0), 2)).isEqualTo(ProbeCodec.Kind.FOREIGN);
    }

    @Test
    void thePaddingDoesNotCompress() throws Exception {
        byte[] value = new ProbeCodec(7, 0, 10_000).encode(0, 0, 0);
        java.util.zip.Deflater deflater = new java.util.zip.Deflater();
        deflater.setInput(value);
        deflater.finish();
        int compressed = deflater.deflate(new byte[20_000]);
        deflater.end();

        assertThat(compressed).isGreaterThan(9_900);
    }
}
