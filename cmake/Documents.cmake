# SPDX-License-Identifier: Apache-2.0
# The manual page and the completions of shells, which the program makes from its own verbs and options.
set(tesela_documents_folder ${PROJECT_BINARY_DIR}/documents)
set(tesela_documents "")

# document(FORM FILE DESTINATION)
function(tesela_document form file destination)
  set(made ${tesela_documents_folder}/${file})
  add_custom_command(OUTPUT ${made} DEPENDS tesela_cli VERBATIM
    COMMAND ${CMAKE_COMMAND} -E make_directory ${tesela_documents_folder}
    # Packages are built without a path to the library in the program.
    COMMAND ${CMAKE_COMMAND} -E env "LD_LIBRARY_PATH=${PROJECT_BINARY_DIR}:$ENV{LD_LIBRARY_PATH}"
      $<TARGET_FILE:tesela_cli> document ${form} > ${made})
  install(FILES ${made} DESTINATION ${destination})
  set(tesela_documents ${tesela_documents} ${made} PARENT_SCOPE)
endfunction()

tesela_document(man tesela.1 ${CMAKE_INSTALL_MANDIR}/man1)
tesela_document(bash tesela ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
tesela_document(zsh _tesela ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
tesela_document(fish tesela.fish ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
add_custom_target(tesela_documents ALL DEPENDS ${tesela_documents})
