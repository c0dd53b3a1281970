/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Rooms, the packages right below the program with all that is in them, form a tree with the
 * program on top, which alone reads a clock; so do single packages.
 */
class PackagesTest {
    private static final String ROOT = "io.phasewise.canary";
    private static final JavaClasses MAIN =
            new ClassFileImporter().withImportOption(new DoNotIncludeTests()).importPackages(ROOT);

    private static final Set<String> CLOCKS = Set.of(
            "java.lang.System.nanoTime",
            "java.lang.System.currentTimeMillis",
            "java.time.Instant.now",
            "java.time.LocalDate.now",
            "java.time.InstantSource.system",
            "java.time.Clock.systemUTC",
            "java.time.Clock.systemDefaultZone");

    @ParameterizedTest
    @ValueSource(strings = {".(*)..", ".(**)"})
    void noRoomsAndNoPackagesUseEachOther(String parts) {
        slices().matching(ROOT + parts).should().beFreeOfCycles().check(MAIN);
    }

    @Test
    void nothingUsesTheProgram() {
        noClasses()
                .that()
                .resideOutsideOfPackage(ROOT)
                .should()
                .dependOnClassesThat()
                .resideInAPackage(ROOT)
                .check(MAIN);
    }

    @Test
    void onlyTheProgramReadsAClock() {
        noClasses()
                .that()
                .resideOutsideOfPackage(ROOT)
                .should()
                .accessTargetWhere(describe(
                        "it is a clock",
                        access -> CLOCKS.contains(access.getTargetOwner().getName()
                                + "."
                                + access.getTarget().getName())))
                .check(MAIN);
    }
}
