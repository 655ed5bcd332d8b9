# The parts of the program, for those who watch libraries for faults and licences: a document of SPDX 2.3.

# satb_sbom_add(DOCUMENT PACKAGE LICENCE [VERSION]) adds a package to the document in the variable DOCUMENT. Without VERSION, Debian says
# the version, and the source package, for which it lists faults.
function(satb_sbom_add document package licence)
    set(name ${package})
    set(facts "")
    set(version ${ARGN})
    if(NOT version)
        execute_process(COMMAND dpkg-query -W -f "\${source:Package};\${source:Version};" ${package}
            OUTPUT_VARIABLE source ERROR_QUIET RESULT_VARIABLE unknown)
        if(NOT unknown)
            list(POP_FRONT source name version)
            cmake_host_system_information(RESULT system QUERY DISTRIB_ID)
            string(REPLACE "+" "%2B" locator "pkg:deb/${system}/${name}@${version}?arch=source")
            set(facts ", \"externalRefs\": [{\"referenceCategory\": \"PACKAGE-MANAGER\", \"referenceType\": \"purl\",
                \"referenceLocator\": \"${locator}\"}]")
        endif()
    endif()
    if(version)
        string(APPEND facts ", \"versionInfo\": \"${version}\"")
    endif()
    string(REGEX REPLACE "[^A-Za-z0-9.-]" "-" id "SPDXRef-${name}")
    if(${document} MATCHES "\"${id}\"")
        return()
    endif()
    string(JSON count LENGTH "${${document}}" packages)
    string(JSON ${document} SET "${${document}}" packages ${count} "{\"SPDXID\": \"${id}\", \"name\": \"${name}\",
        \"downloadLocation\": \"NOASSERTION\", \"filesAnalyzed\": false, \"licenseDeclared\": \"${licence}\"${facts}}")
    string(JSON ${document} SET "${${document}}" relationships ${count} "{\"spdxElementId\": \"SPDXRef-satblur\",
        \"relationshipType\": \"DEPENDS_ON\", \"relatedSpdxElement\": \"${id}\"}")
    set(${document} "${${document}}" PARENT_SCOPE)
endfunction()

# satb_sbom_write(FILE CREATED PART...): a part is PACKAGE|LICENCE or PACKAGE|LICENCE|VERSION.
function(satb_sbom_write file created)
    string(UUID id NAMESPACE 6ba7b811-9dad-11d1-80b4-00c04fd430c8 TYPE SHA1 NAME "${CPACK_PACKAGE_FILE_NAME} ${created} ${ARGN}")
    set(text "{\"spdxVersion\": \"SPDX-2.3\", \"dataLicense\": \"CC0-1.0\", \"SPDXID\": \"SPDXRef-DOCUMENT\",
        \"name\": \"${CPACK_PACKAGE_FILE_NAME}\", \"documentNamespace\": \"urn:uuid:${id}\",
        \"creationInfo\": {\"created\": \"${created}\", \"creators\": [\"Organization: The satblur authors\"]},
        \"packages\": [{\"SPDXID\": \"SPDXRef-satblur\", \"name\": \"satblur\", \"versionInfo\": \"${PROJECT_VERSION}\",
            \"downloadLocation\": \"NOASSERTION\", \"filesAnalyzed\": false, \"licenseDeclared\": \"MIT\"}],
        \"relationships\": [{\"spdxElementId\": \"SPDXRef-DOCUMENT\", \"relationshipType\": \"DESCRIBES\",
            \"relatedSpdxElement\": \"SPDXRef-satblur\"}]}")
    foreach(part ${ARGN})
        string(REPLACE "|" ";" part ${part})
        satb_sbom_add(text ${part})
    endforeach()
    file(WRITE ${file} "${text}\n")
endfunction()
